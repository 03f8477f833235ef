import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@zonewright/postgres';
import type { ZoneBody } from '../support/arrange.ts';
import {
  aRegistration,
  aRule,
  aVerifiedUser,
  aZone,
  rulesOf,
  someConditions,
  type User,
  unique,
} from '../support/arrange.ts';
import { type Client, clientOf } from '../support/client.ts';
import { revisionsOf } from '../support/zone-contents.ts';

/** The instances that take requests, and their database. */
export interface Installation {
  readonly urls: readonly string[];
  readonly database: Database;
}

/** Acts until aborted; rejects on a response that the API does not document. */
type Visitor = (signal: AbortSignal) => Promise<unknown>;

/** The simulated users. */
export interface Crowd {
  readonly visit: Visitor;
  /** For this many seconds, 24 more clients sign in again and again. */
  readonly rush: (seconds: number) => Promise<unknown>;
}

const editors = 8;
/** Random milliseconds between two requests; below 10 requests per second. */
const paces = {
  editor: [110, 220],
  signIn: [500, 1500],
  guess: [700, 1500],
  rush: [1, 2],
  mail: [1500, 3500],
  greedy: [15, 30],
} as const;
type Pace = (typeof paces)[keyof typeof paces];

/** Registers users and creates a few zones for each. */
export async function openCrowd({ urls, database }: Installation): Promise<Crowd> {
  const [url = ''] = urls;
  const users: User[] = [];
  for (let count = 0; count < editors; count += 1) users.push(await aVerifiedUser({ url, database }));
  const visitors = [
    ...(await Promise.all(users.map((user, index) => anEditor(urls, user, index)))),
    aSignIn(urls, users),
    aGuesser(urls, users),
    aMailSource(urls),
    await aGreedyClient(urls, await aVerifiedUser({ url, database })),
  ];
  const all = (some: readonly Visitor[], signal: AbortSignal) => Promise.all(some.map((visit) => visit(signal)));
  const crowd = Array.from({ length: 24 }, () => aSignIn(urls, users, paces.rush));
  return {
    visit: (signal) => all(visitors, signal),
    rush: (seconds) => all(crowd, AbortSignal.timeout(Math.round(seconds * 1000))),
  };
}

/** Rotates through clients of all instances, like a load balancer. */
const balanced = (urls: readonly string[], headers: Readonly<Record<string, string>>): (() => Client) => {
  const clients = urls.map((url) => clientOf(url, headers));
  return () => anyOf(clients);
};

/** There is at least one. */
const anyOf = <T>(some: readonly T[]): T => some[randomInt(some.length)] as T;

/** Budgets count per network; 198.18.0.0/15 is reserved for benchmarks (RFC 2544). */
const from = (network: number) => ({ 'x-forwarded-for': `198.18.${Math.floor(network / 250)}.${(network % 250) + 1}` });

async function repeat(signal: AbortSignal, [min, max]: Pace, act: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await act();
    await pause(randomInt(min, max));
  }
}

/** A user who reads more than they write, and sends some invalid requests. */
async function anEditor(urls: readonly string[], user: User, index: number): Promise<Visitor> {
  const client = balanced(urls, { authorization: `Bearer ${user.token}`, ...from(index) });
  const zones = [await aZone(user), await aZone(user), await aZone(user)];
  for (const zone of zones) for (let count = 0; count < 4; count += 1) await aRule(user, zone);
  const tags = new Map<string, string>();
  const acts: readonly (readonly [share: number, act: (zone: ZoneBody) => Promise<unknown>])[] = [
    [40, ({ id }) => readIfChanged(client(), `/api/zones/${id}`, tags)],
    [15, () => client().get('/api/zones')],
    [10, (zone) => client().get(rulesOf(zone))],
    [8, (zone) => client().get(`${revisionsOf(zone)}/2`)],
    [3, ({ id }) => client().get(`/api/zones/${id}/findings`)],
    [10, ({ id }) => client().patch(`/api/zones/${id}`, { name: `zone-${unique()}` })],
    [8, (zone) => replaceRule(client(), zone)],
    [3, (zone) => client().post(rulesOf(zone), { name: '' })],
    [3, () => client().get('/api/zones/01890000-0000-7000-8000-000000000000')],
  ];
  const weighted = acts.flatMap(([share, act]) => Array.from({ length: share }, () => act));
  return (signal) => repeat(signal, paces.editor, () => anyOf(weighted)(anyOf(zones)));
}

async function readIfChanged(client: Client, path: string, tags: Map<string, string>): Promise<void> {
  const known = tags.get(path);
  const { headers } = await client.get(path, known === undefined ? {} : { 'if-none-match': known });
  tags.set(path, headers.get('etag') ?? '');
}

/** Adds a rule and deletes another. */
async function replaceRule(client: Client, zone: ZoneBody): Promise<void> {
  const name = `rule-${unique()}`;
  const reply = await client.post(
    rulesOf(zone),
    { name, conditions: someConditions() },
    { accept: 'application/json' },
  );
  if (reply.status !== 201) return;
  await client.delete(`${rulesOf(zone)}/${(reply.json() as { readonly id: string }).id}`);
}

/** Users who sign in, refresh and log out, each from their own network. */
const aSignIn =
  (urls: readonly string[], users: readonly User[], pace: Pace = paces.signIn): Visitor =>
  (signal) =>
    repeat(signal, pace, async () => {
      const { email, password } = anyOf(users);
      const client = balanced(urls, from(1000 + unique()));
      const signedIn = await client().post('/api/auth/login', { email, password });
      if (signedIn.status !== 200) return;
      const { refreshToken } = signedIn.json() as { readonly refreshToken: string };
      const refreshed = await client().post('/api/auth/refresh', { refreshToken });
      await client().post('/api/auth/logout', refreshed.json());
    });

/** A client on three networks that guesses passwords, and goes on when it is rate-limited. */
const aGuesser =
  (urls: readonly string[], users: readonly User[]): Visitor =>
  (signal) =>
    repeat(signal, paces.guess, () => {
      const credentials = { email: anyOf(users.slice(0, 2)).email, password: 'not the password' };
      return balanced(urls, from(500 + randomInt(3)))().post('/api/auth/login', credentials);
    });

/** Registrations, each of which sends a mail. */
const aMailSource =
  (urls: readonly string[]): Visitor =>
  (signal) =>
    repeat(signal, paces.mail, () =>
      balanced(urls, from(2000 + unique()))().post('/api/auth/register', aRegistration()),
    );

/** A client that ignores `Retry-After`: exceeds its budget by far for 20 seconds of each minute. */
async function aGreedyClient(urls: readonly string[], user: User): Promise<Visitor> {
  const zone = await aZone(user);
  const client = balanced(urls, { authorization: `Bearer ${user.token}`, ...from(900) });
  return async (signal) => {
    while (!signal.aborted) {
      const burst = AbortSignal.any([signal, AbortSignal.timeout(20_000)]);
      await repeat(burst, paces.greedy, () => client().get(`/api/zones/${zone.id}`));
      await pause(40_000, undefined, { signal }).catch(() => undefined);
    }
  };
}

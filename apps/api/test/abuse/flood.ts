import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, type Flood, inTurn } from './recipe.ts';
import type { Attacker } from './world.ts';

/** Requests by status; 0 for those that got no response. */
export type Statuses = Readonly<Record<number, number>>;

/** What requests of one kind met. */
export interface Latencies {
  readonly statuses: Statuses;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Milliseconds between probes of each kind. */
const intervals = { health: 50, readiness: 100, victim: 125, question: 2000 } as const;

/** A connection that was refused waits this many milliseconds, as clients do that stay within limits. */
const pauseAfterRefusal = 500;

interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The status once the whole response has arrived; 0 if none does. */
const statusOf = (agent: Agent, { url, body, ...options }: Exchange): Promise<number> =>
  new Promise((resolve) => {
    const gone = (): void => resolve(0);
    request(url, { agent, ...options })
      .on('response', (response: IncomingMessage) => {
        response
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', gone)
          .resume();
      })
      .on('error', gone)
      .end(body);
  });

/** Counts statuses and measures durations. */
class Observed {
  readonly #milliseconds: number[] = [];
  readonly #statuses: Record<number, number> = {};

  async observe(answered: Promise<number>): Promise<number> {
    const began = performance.now();
    const status = await answered;
    this.#milliseconds.push(performance.now() - began);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    return status;
  }

  latencies(): Latencies {
    const sorted = this.#milliseconds.toSorted((a, b) => a - b);
    const at = (part: number): number =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
    return { statuses: this.#statuses, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  }
}

/** Who sends a request, and from which network address if not from this machine's. */
interface Sender {
  readonly token: string;
  /** Whether the response is to be compressed, which costs the service more, and the network less. */
  readonly compressed?: boolean;
  readonly address?: string | undefined;
}

const mediaTypeOf = (method: string): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';

function exchangeOf(
  url: string,
  method: string,
  { path, body, headers }: Call,
  { token, address, compressed }: Sender,
): Exchange {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    url: new URL(path, url),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(text === undefined
        ? {}
        : { 'content-type': mediaTypeOf(method), 'content-length': String(Buffer.byteLength(text)) }),
      ...(compressed === true ? { 'accept-encoding': 'gzip' } : {}),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
      ...headers,
    },
    body: text,
  };
}

/** Sends requests over the given number of connections until the time is up. */
export async function flood(
  target: { readonly url: string; readonly method: string; readonly next: Flood },
  { tokens, address }: Pick<Attacker, 'tokens' | 'address'>,
  { connections, milliseconds }: { readonly connections: number; readonly milliseconds: number },
): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const observed = new Observed();
  const end = performance.now() + milliseconds;
  let number = 0;
  const send = async (sender: Sender): Promise<void> => {
    while (performance.now() < end) {
      const call = target.next(number);
      number += 1;
      const status = await observed.observe(statusOf(agent, exchangeOf(target.url, target.method, call, sender)));
      if (status === 429 || status === 0) await pause(pauseAfterRefusal);
    }
  };
  const senders = tokens.map((token, index) => ({ token, address, compressed: index > 0 }));
  await Promise.all(Array.from({ length: connections }, (_, index) => send(inTurn(senders, index))));
  agent.destroy();
  return observed.latencies();
}

/** The part of a minute's points that an account has spent, between 0 and 1; 0 if the flood has ended its session. */
export async function spentPart(url: string, { tokens: [token], address }: Attacker): Promise<number> {
  const sender = { authorization: `Bearer ${token}`, 'x-forwarded-for': address ?? '' };
  const { headers } = await fetch(new URL('/api/users/me', url), { headers: sender });
  const [, left] = /"api-user";r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  const [, quota] = /"api-user";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  return left === undefined ? 0 : 1 - Number(left) / Number(quota);
}

/** What others meet. */
export interface Probes {
  readonly health: Latencies;
  readonly readiness: Latencies;
  /** Another user's `GET /api/users/me`. */
  readonly victim: Latencies;
  /** Another user's question about all requests to a small zone. */
  readonly question: Latencies;
}

/** Those who meet what a flood does to others: with budgets of their own, because questions cost more. */
export interface Victims {
  readonly victim: { readonly token: string };
  readonly asker: { readonly token: string };
  /** A small zone of the one who asks. */
  readonly zone: string;
}

/** Probes the service, whether or not earlier probes have been answered, until `stop` is called. */
export function probe(url: string, { victim, asker, zone }: Victims): { readonly stop: () => Promise<Probes> } {
  const agent = new Agent({ keepAlive: true });
  const start = (path: string, interval: number, sender = victim) => {
    const observed = new Observed();
    const pending = new Set<Promise<unknown>>();
    const timer = setInterval(() => {
      const answered = observed.observe(statusOf(agent, exchangeOf(url, 'GET', { path }, sender)));
      pending.add(answered);
      void answered.finally(() => pending.delete(answered));
    }, interval);
    return async (): Promise<Latencies> => {
      clearInterval(timer);
      await Promise.all(pending);
      return observed.latencies();
    };
  };
  const [health, readiness, user, question] = [
    start('/healthz', intervals.health),
    start('/readyz', intervals.readiness),
    start('/api/users/me', intervals.victim),
    start(`/api/zones/${zone}/findings`, intervals.question, asker),
  ];
  return {
    async stop() {
      const probes = {
        health: await health(),
        readiness: await readiness(),
        victim: await user(),
        question: await question(),
      };
      agent.destroy();
      return probes;
    },
  };
}

/** Lets the kernel measure the peak of a process's memory from now on. */
export const resetPeakMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** The peak of resident memory since then, in MiB. */
export function peakMemory(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

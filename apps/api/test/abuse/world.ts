import { createHash, randomUUID } from 'node:crypto';
import { usageLimits } from '@zonewright/core';
import { nodeRandomness } from '@zonewright/crypto';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import {
  aLoadBalancer,
  aVerifiedUser,
  aZone,
  join as joinOrganization,
  type Tokens,
  type User,
  unique,
} from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import {
  aBasicAuthUser,
  changeSetsOf,
  listOf,
  promotionsOf,
  type RuleListName,
  ruleListNames,
} from '../support/zone-contents.ts';
import { expensiveRules, largePages, mostRules, pageNames, pageText } from './largest-zone.ts';

const plain = { accept: 'application/json' };

/** A zone, and the ids of the rules of each kind. */
export interface LargeZone {
  readonly id: string;
  readonly rules: Readonly<Record<RuleListName, readonly string[]>>;
  readonly basicAuthUsers: readonly string[];
}

/** What one organization has stored: as much of everything as it may have. */
export interface AbusedOrganization {
  readonly owner: User;
  /** The largest zone, with a long history, and as many drafts as fit. */
  readonly read: LargeZone & { readonly revisions: number; readonly drafts: readonly string[] };
  /** Into which the largest zone has been promoted. */
  readonly promoted: LargeZone & { readonly promotions: readonly string[] };
  /** With half as many rules: there is room for more. */
  readonly written: LargeZone;
  /** Whose lists are replaced. */
  readonly replaced: LargeZone;
  /** Whose contents are deleted one by one. */
  readonly emptied: LargeZone;
  /** Zones to delete. */
  readonly spare: readonly string[];
  /** Deleted zones to restore. */
  readonly deleted: readonly string[];
  readonly invitations: readonly string[];
  readonly domains: readonly string[];
  /** The first are used by the load balancers. */
  readonly originServers: readonly string[];
  readonly loadBalancers: readonly string[];
}

/** How much is stored. */
export interface Scale {
  readonly revisions: number;
  readonly spareZones: number;
  readonly auditEntries: number;
}

const expectDone = (reply: Reply): Reply => {
  expect(reply.status, reply.text.slice(0, 500)).to.be.below(300);
  return reply;
};

const idsIn = (reply: Reply): readonly string[] =>
  (reply.json() as readonly { readonly id: string }[]).map(({ id }) => id);

/** Creates a zone with so large a part of all rules that a zone may have, and the largest pages. */
async function aLargeZone(
  owner: User,
  { part = 1, name }: { readonly part?: number; readonly name: string },
): Promise<LargeZone> {
  const zone = await aZone(owner, { name });
  expectDone(await owner.patch(`/api/zones/${zone.id}`, { zone_settings: largePages(0) }));
  const rules: Partial<Record<RuleListName, readonly string[]>> = {};
  for (const list of ruleListNames) rules[list] = await fillList(owner, zone, list, Math.ceil(mostRules[list] * part));
  const basicAuthUsers: string[] = [];
  for (let count = 0; count < 50 * part; count += 1) basicAuthUsers.push((await aBasicAuthUser(owner, zone)).id);
  // Every list has been filled.
  return { id: zone.id, rules: rules as LargeZone['rules'], basicAuthUsers };
}

async function fillList(
  owner: User,
  zone: { readonly id: string },
  list: RuleListName,
  count: number,
): Promise<readonly string[]> {
  const wanted = expensiveRules(list, count);
  const path = listOf(zone, list);
  if (list !== 'securityScenarios')
    return idsIn(expectDone(await owner.put(path, wanted, { ...plain, 'if-match': '*' })));
  for (const rule of wanted) expectDone(await owner.post(path, rule, plain));
  return idsIn(expectDone(await owner.get(`${path}?itemsPerPage=100`, plain)));
}

/** Changes pages so often, every fourth time all of them. */
async function writeHistory(owner: User, { id }: LargeZone, revisions: number): Promise<void> {
  for (let number = 1; number <= revisions; number += 1) {
    const settings = largePages(number, number % pageNames.length === 0 ? pageNames.length : 1);
    expectDone(await owner.patch(`/api/zones/${id}`, { zone_settings: settings }));
  }
}

/** Creates drafts, each with a page of its own, until there may be no more. Every second one will conflict. */
async function fillDrafts(owner: User, zone: LargeZone): Promise<readonly string[]> {
  const drafts: string[] = [];
  for (let number = 0; ; number += 1) {
    const name = pageNames[number % 2] ?? '';
    const patch = { zone_settings: { [name]: pageText(10_000 + number) } };
    const reply = await owner.post(changeSetsOf(zone), { title: `Draft ${number}`, patch }, plain);
    if (reply.status === 422) return drafts;
    drafts.push((expectDone(reply).json() as { readonly id: string }).id);
  }
}

async function promote(owner: User, from: LargeZone, into: LargeZone): Promise<readonly string[]> {
  const promotions: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const reply = await owner.post(promotionsOf(into), { from: from.id }, plain);
    if (reply.status === 422 || reply.status === 200) return promotions;
    promotions.push((expectDone(reply).json() as { readonly id: string }).id);
  }
  return promotions;
}

const manyRows = [
  `INSERT INTO audit_log (action, actor_id, organization_id, objects, at)
   SELECT (ARRAY['zone.created', 'zone.changed', 'zone.deleted'])[1 + n % 3], $<user>, $<organization>, '{}',
     now() - n * interval '10 seconds'
   FROM generate_series(1, $<auditEntries>) AS n`,
  `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, email_verified_at)
   SELECT gen_random_uuid(), 'many' || n || '@example.com', 'many' || n || '@example.com', 'x', 'Ada', 'Lovelace', now()
   FROM generate_series(1, 60) AS n`,
  `INSERT INTO memberships (organization_id, user_id, role)
   SELECT $<organization>, id, 'editor' FROM users WHERE email LIKE 'many%'`,
  `INSERT INTO invitations (id, organization_id, email, email_key, role, hash, expires_at)
   SELECT gen_random_uuid(), $<organization>, 'guest' || n || '@example.com', 'guest' || n || '@example.com', 'viewer',
     md5(n::text), now() + interval '7 days'
   FROM generate_series(1, 20) AS n`,
  `INSERT INTO domains (id, organization_id, name, proof, next_check_at)
   SELECT gen_random_uuid(), $<organization>, 'many' || n || '.example', md5(n::text), now() + interval '1 day'
   FROM generate_series(1, 50) AS n`,
  `INSERT INTO origin_servers (id, organization_id, name, name_key, protocol, address, address_key, port)
   SELECT gen_random_uuid(), $<organization>, 'Server ' || n, 'server ' || n, 'https', n || '.example.com',
     n || '.example.com', 443
   FROM generate_series(1, 120) AS n`,
];

/** Creates the largest load balancers; returns what the organization has outside of its zones. */
async function fillBackends(
  owner: User,
): Promise<Pick<AbusedOrganization, 'invitations' | 'domains' | 'originServers' | 'loadBalancers'>> {
  const listed = async (list: string) =>
    idsIn(expectDone(await owner.get(`/api/organizations/${owner.organization}/${list}?itemsPerPage=100`, plain)));
  const originServers = await listed('origin-servers');
  const origins = originServers.slice(0, usageLimits.origins.default).map((originServer) => ({ originServer }));
  for (let count = 0; count < 20; count += 1) await aLoadBalancer(owner, { origins });
  return {
    invitations: await listed('invitations'),
    domains: await listed('domains'),
    originServers,
    loadBalancers: await listed('load-balancers'),
  };
}

/** Fills an organization through a service without limits, and calls `step` with what is being done. */
export async function fillOrganization(
  place: { readonly url: string; readonly database: Database },
  { revisions, spareZones, auditEntries }: Scale,
): Promise<AbusedOrganization> {
  const owner = await aVerifiedUser(place);
  const { id: user, organization } = owner;
  for (const statement of manyRows) await place.database.none(statement, { user, organization, auditEntries });
  const zones = (name: string, part = 1) => aLargeZone(owner, { name, part });
  const [read, promoted, written] = [
    await zones('a-read'),
    await zones('b-promoted', 0.1),
    await zones('c-written', 0.5),
  ];
  const [replaced, emptied] = [await zones('d-replaced'), await zones('e-emptied')];
  await writeHistory(owner, read, revisions);
  const drafts = await fillDrafts(owner, read);
  const promotions = await promote(owner, read, promoted);
  // From now on, every draft is behind, and those of the first page conflict with the zone.
  await writeHistory(owner, read, 1);
  const spares: string[] = [];
  for (let count = 0; count < 2 * spareZones; count += 1) spares.push((await zones(`f-spare-${count}`, 0.5)).id);
  const deleted = spares.splice(spareZones);
  for (const id of deleted) expectDone(await owner.delete(`/api/zones/${id}`));
  await place.database.none('VACUUM ANALYZE');
  const [first] = (await owner.get(`/api/zones/${read.id}/revisions?itemsPerPage=1`, plain)).json() as readonly {
    readonly number: number;
  }[];
  return {
    owner,
    read: { ...read, revisions: first?.number ?? 0, drafts },
    promoted: { ...promoted, promotions },
    written,
    replaced,
    emptied,
    spare: spares,
    deleted,
    ...(await fillBackends(owner)),
  };
}

/** A user with two sessions: a credential has half of what its user may do. */
export interface Attacker {
  readonly user: User;
  readonly tokens: readonly [string, string];
  /** Unused before, so that the budgets of its network are full, too; behind a trusted proxy. */
  readonly address?: string;
  /** Ends the membership. */
  readonly leave: () => Promise<void>;
}

/** A new owner of the organization, whose budgets are full. */
export async function anAttacker(
  place: { readonly url: string; readonly database: Database },
  { owner }: Pick<AbusedOrganization, 'owner'>,
): Promise<Attacker> {
  const user = await aVerifiedUser(place);
  await joinOrganization(place, user, owner.organization, 'owner');
  return {
    user,
    tokens: [user.token, await secondToken(place, user)],
    address: `10.${unique() % 256}.${unique() % 256}.1`,
    leave: async () => {
      await place.database.none('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [
        user.id,
        owner.organization,
      ]);
    },
  };
}

/** The access token of a second session, without the cost of a log-in. */
async function secondToken(
  { url, database }: { readonly url: string; readonly database: Database },
  { id }: Pick<User, 'id'>,
): Promise<string> {
  const refreshToken = nodeRandomness().token();
  const hash = createHash('sha256').update(refreshToken).digest('hex');
  await database.none(
    `WITH session AS (
       INSERT INTO sessions (id, user_id, methods, expires_at)
       VALUES ($<session>, $<id>, '{pwd}', now() + interval '90 days')
     )
     INSERT INTO refresh_tokens (hash, session_id, expires_at) VALUES ($<hash>, $<session>, now() + interval '30 days')`,
    { session: randomUUID(), id, hash },
  );
  return (expectDone(await clientOf(url).post('/api/auth/refresh', { refreshToken })).json() as Tokens).token;
}

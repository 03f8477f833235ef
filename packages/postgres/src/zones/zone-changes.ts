import { createHash } from 'node:crypto';
import {
  type BackendKind,
  type BackendVersion,
  type ComparableSecretBox,
  coveringNames,
  type HostName,
  type HostNameRules,
  type ListPlan,
  type LockedZone,
  type Loser,
  nameKey,
  type ProviderId,
  type RecordedChange,
  type Role,
  type RuleId,
  type RuleKind,
  ruleKeys,
  searchKey,
  stateAfter,
  type UserId,
  type UsersPlan,
  type WrittenRule,
  type ZoneChanges,
  type ZoneFacts,
  type ZoneId,
  type ZoneNameTaken,
  type ZoneNotFound,
  type ZonePlan,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { brokenConstraint } from '../connection/failures.ts';
import { maybe, one, required } from '../connection/query.ts';
import type { StoredLimits } from '../organizations/limits.ts';
import { membershipIn } from '../organizations/memberships.ts';
import type { ReadAheadSlot } from '../read-ahead.ts';
import { sql } from '../sql.ts';
import { banTokenColumns } from './ban-tokens.ts';
import { resolveReferences } from './external-references.ts';
import { stateValues } from './history.ts';
import { claimValues } from './host-name-facts.ts';
import { applyStatement, releaseStatement, type TouchedParts } from './zone-change-statement.ts';
import { readFacts } from './zone-facts.ts';
import { readOwnState, remember, type StateSources } from './zone-states.ts';

/** Zone changes over one connection; states committed at once are cached. */
export const postgresZoneChanges = ({
  limits,
  ahead,
  hostNameRules,
  ...sources
}: StateSources & {
  readonly limits: StoredLimits;
  readonly ahead: ReadAheadSlot;
  readonly hostNameRules: HostNameRules;
}): ZoneChanges => ({
  facts: (zone, user) => {
    const read = ahead.take('zone change');
    return read?.id === zone && read.facts?.user === user
      ? okAsync(read.facts)
      : readFacts({ ...sources, limits }, zone, user);
  },
  resolveReferences: (zone, references) => resolveReferences(sources.on, hostNameRules, zone, references),
  lock: (zone, user) => lockZone(sources.on, zone, user),
  queue: (zone) => one(sources.on, sql.zoneChanges.queue, { zone }).map(() => undefined),
  lockLoser: (zone, names) => lockLoser(sources, zone, names),
  release: (loser, change) => release(sources, loser, change),
  apply: (facts, versions, change) =>
    ResultAsync.fromPromise(
      sources.on.oneOrNone<AppliedRow>(prepared(sources.banTokens, facts, versions, change)),
      (failure) => failure,
    )
      .orElse((failure): Result<null, ZoneNameTaken> => {
        const broken = brokenConstraint(failure);
        if (broken === 'zones_name_unique') return err(zoneNameTaken());
        if (broken !== undefined && superseding.has(broken)) return ok(null);
        throw failure;
      })
      .map((row) => {
        if (row === null) return 'superseded';
        if (row.version === null) return facts.state;
        const state = stateAfter(facts.state, change.plan, row.at);
        remember(sources.cache, { version: row.version, state });
        return state;
      }),
});

/** Reads the zone after it is locked: what was read before could have changed. */
const lockLoser = (
  sources: StateSources,
  zone: ZoneId,
  names: readonly HostName[],
): ResultAsync<Loser | 'superseded', never> =>
  maybe(sources.on, sql.zoneChanges.lockLoser, { zone, domains: names.flatMap(coveringNames) }).andThen((locked) =>
    locked === undefined
      ? okAsync('superseded' as const)
      : readOwnState(sources, zone)
          .map(({ state, own: { replayBytes } }) => ({ state, replayBytes }))
          .map((loser) => (names.every((name) => loser.state.zone.hostnames.includes(name)) ? loser : 'superseded'))
          .orElse(() => okAsync('superseded' as const)),
  );

const release = (
  { on, banTokens }: StateSources,
  { state: { zone } }: Loser,
  change: RecordedChange,
): ResultAsync<void, never> =>
  one(on, releaseStatement, {
    zone: zone.id,
    revision: zone.revision,
    user: null,
    organization: zone.organizationId,
    isZoneChanged: true,
    ...recordValues(change),
    ...memberValues(change.plan),
    ...banTokenColumns(banTokens, zone.id, undefined),
  }).map(() => undefined);

/** The constraints that a change breaks if something was changed after the lookup. */
const superseding = new Set([
  // The rule's id or a host name was taken.
  'rules_pkey',
  'host_names_pkey',
  // Retention has removed what a restoration refers to, or a domain has been removed.
  'zone_revisions_contents',
  'zone_revisions_rest',
  'host_names_domain',
]);

/** A locked zone; without a role if the user is not a member. */
interface LockedRow extends Omit<LockedZone, 'membership'> {
  readonly role: Role | null;
  readonly needsTwoFactor: boolean | null;
  readonly requiredProvider: ProviderId | null;
}

const lockZone = (on: Connection, zone: ZoneId, user: UserId): ResultAsync<LockedZone, ZoneNotFound> =>
  required<LockedRow>(on, sql.zoneChanges.lock, { zone, user })
    .mapErr(zoneNotFound)
    .map(({ role, needsTwoFactor, requiredProvider, ...locked }) => ({
      ...locked,
      membership: membershipIn({ role, needsTwoFactor, requiredProvider }),
    }));

/** When a change was applied, and the zone's new version; null if only a change set was marked. */
interface AppliedRow {
  readonly at: Date;
  readonly version: string | null;
}

function prepared(
  banTokens: ComparableSecretBox,
  facts: ZoneFacts,
  versions: readonly BackendVersion[],
  change: RecordedChange,
) {
  const { zone } = facts.state;
  const { plan, changeSet } = change;
  const isAlone = changeSet?.isAlone === true;
  const touched = { ...touchedBy(plan, versions), changeSet: changeSet !== undefined };
  const statement = isAlone ? sql.zoneChanges.applySetAlone : applyStatement(touched);
  return statement.prepared({
    zone: zone.id,
    revision: zone.revision,
    user: facts.user,
    role: facts.membership?.role ?? null,
    organization: zone.organizationId,
    organizationRevision: facts.organizationRevision,
    isZoneChanged: touched.zone,
    ...recordValues(change),
    ...versionValues(versions),
    ...memberValues(plan),
    ...banTokenColumns(banTokens, zone.id, plan.banToken),
    ...listValues(plan.lists ?? new Map()),
    ...userValues(plan.users ?? { added: [], changed: [], removed: [] }),
  });
}

const recordValues = ({ revision, audit, changeSet, mostStored }: RecordedChange) => ({
  mostStored: mostStored ?? null,
  changeSet: changeSet?.id ?? null,
  changeSetRevision: changeSet?.revision ?? null,
  action: revision.action,
  objects: JSON.stringify(revision.objects),
  ...stateValues(revision),
  replayBytes: revision.replayBytes,
  credential: audit.credential ?? null,
  auditObjects: audit.objects,
  network: audit.client.network,
  userAgent: audit.client.userAgent,
});

const touchedBy = (
  { names, settings, hostnames, banToken, lists, users }: ZonePlan,
  versions: readonly BackendVersion[],
): Omit<TouchedParts, 'changeSet'> => ({
  backends: versions.length > 0,
  zone: [names, settings, hostnames, banToken].some((member) => member !== undefined),
  hostNames: hostnames !== undefined,
  rules: (lists?.size ?? 0) > 0,
  ruleIds: [...(lists?.values() ?? [])].some(({ added, removed }) => added.length + removed.length > 0),
  users: users !== undefined,
});

function versionValues(versions: readonly BackendVersion[]) {
  const of = (backendKind: BackendKind) => {
    const distinct = new Map(
      versions.flatMap(({ kind, id, revision }) => (kind === backendKind ? [[id, revision]] : [])),
    );
    return { ids: [...distinct.keys()], revisions: [...distinct.values()] };
  };
  const [servers, balancers] = [of('origin_server'), of('load_balancer')];
  return {
    originServers: servers.ids,
    originRevisions: servers.revisions,
    loadBalancers: balancers.ids,
    balancerRevisions: balancers.revisions,
  };
}

const memberValues = ({ names, settings, hostnames }: ZonePlan) => ({
  ...nameValues(names),
  ...hostNameValues(hostnames),
  settings: settings?.text ?? null,
});

const nameValues = (names: ZonePlan['names']) =>
  names === undefined
    ? { name: null, nameKey: null, tag: null }
    : { name: names.name, nameKey: nameKey(names.name), tag: names.tag };

const hostNameValues = (hostnames: ZonePlan['hostnames']) =>
  hostnames === undefined
    ? { hostnames: null, ...claimValues([]) }
    : { hostnames: hostnames.names, ...claimValues(hostnames.claims) };

/** Statement values for the rules of all lists. */
function listValues(lists: ReadonlyMap<RuleKind, ListPlan>) {
  const all = [...lists].map(([kind, { removed, changed, added, ranks }]) => {
    const [contents, fresh] = [contentsOf(changed), contentsOf(added)];
    const touched = new Set([...contents.keys(), ...ranks.keys()]);
    const rowOf = (id: RuleId, content: WrittenRule['content'] | undefined) => ({
      id,
      kind,
      rank: ranks.get(id) ?? null,
      ...columnsOf(kind, content),
    });
    return {
      removed,
      written: [...touched].filter((id) => !fresh.has(id)).map((id) => rowOf(id, contents.get(id))),
      added: added.map(({ id, content }) => rowOf(id, content)),
    };
  });
  const [written, added] = [all.flatMap((list) => list.written), all.flatMap((list) => list.added)];
  return {
    kinds: [...lists.keys()],
    removed: all.flatMap(({ removed }) => removed),
    writtenIds: written.map(({ id }) => id),
    writtenNameKeys: written.map((rule) => rule.nameKey),
    writtenHashes: written.map(({ uniqueHash }) => uniqueHash),
    writtenContents: written.map(({ content }) => content),
    writtenRanks: written.map(({ rank }) => rank),
    addedIds: added.map(({ id }) => id),
    addedKinds: added.map(({ kind }) => kind),
    addedNameKeys: added.map((rule) => rule.nameKey),
    addedHashes: added.map(({ uniqueHash }) => uniqueHash),
    addedContents: added.map(({ content }) => content),
    addedRanks: added.map(({ rank }) => rank),
  };
}

const contentsOf = (rules: readonly WrittenRule[]) => new Map(rules.map(({ id, content }) => [id, content]));

/** The columns of a rule's content; null for a rule that only moves. */
function columnsOf(kind: RuleKind, content: WrittenRule['content'] | undefined) {
  if (content === undefined) return { nameKey: null, uniqueHash: null, content: null };
  const { name, unique } = ruleKeys(kind, content);
  return { nameKey: name, uniqueHash: hashOfKey(unique), content: content.text };
}

/** SHA-256 of a rule's unique key; null for kinds without one. */
const hashOfKey = (key: string | undefined): Buffer | null =>
  key === undefined ? null : createHash('sha256').update(key).digest();

const userValues = ({ added, changed, removed }: UsersPlan) => ({
  removedUsers: removed,
  changedUsers: changed.map(({ id }) => id),
  changedComments: changed.map(({ comment }) => comment),
  changedPasswords: changed.map(({ hash }) => hash ?? null),
  addedUsers: added.map(({ id }) => id),
  usernames: added.map(({ username }) => username),
  usernameKeys: added.map(({ username }) => searchKey(username)),
  addedComments: added.map(({ comment }) => comment),
  addedPasswords: added.map(({ hash }) => hash),
});

import {
  type BackendReference,
  type BackendVersion,
  backendKind,
  type ClaimedRule,
  type HostNameClaim,
  type HostNameHolder,
  isJsonObject,
  type Json,
  nameKey,
  notAMember,
  type RecordedChange,
  type ResolvedReferences,
  ruleKindNames,
  ruleListNames,
  stateAfter,
  type UserId,
  type ZoneChanges,
  type ZoneFacts,
  type ZoneId,
  type ZonePlan,
  type ZoneState,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { memoryAuditLog } from '../organizations/audit-log.ts';
import { memoryBackends } from '../organizations/backends.ts';
import { holderOf, hostNameFacts } from '../organizations/domains.ts';
import { limitsIn } from '../organizations/limit-overrides.ts';
import { membershipsOf } from '../organizations/memberships.ts';
import { storedBytes } from '../organizations/storage-quotas.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import type { ZoneRow } from '../tables/zone-rows.ts';
import { listKey } from '../tables/zone-rows.ts';
import { markApplied, openRow } from './applied-change-sets.ts';
import { hasRevisions, memoryZoneHistory } from './history.ts';
import { stateOf } from './zone-states.ts';
import { isNameTaken } from './zones.ts';

/** Units run one after another, so facts stay true within one: there is nothing to lock. */
export const memoryZoneChanges = (unit: Unit): ZoneChanges => {
  const { tables, now } = unit;
  return {
    facts: (id, user) => {
      const zone = tables.zones.get(id);
      if (zone === undefined) return errAsync(zoneNotFound());
      const standing = standingIn(unit, zone, user);
      if (standing.membership === undefined) return errAsync(notAMember(zone.organizationId));
      return okAsync({ state: stateOf(tables, zone), user, ...standing });
    },
    resolveReferences: ({ id, organizationId }, { backends, names, hostNames = [], rules = [] }) => {
      // Read at once with the backends, which may change as soon as this returns.
      const versions = new Map(backends.map((each) => [each.id, versionsOf(tables, [each])]));
      return memoryBackends(unit)
        .lockPresent(organizationId, backends)
        .map(
          (present): ResolvedReferences => ({
            backends: present,
            takenRules: new Set(rules.filter((claim) => isTaken(tables, id, claim)).map((claim) => claim.id)),
            hostNames: hostNameFacts(unit, { id, organizationId }, hostNames),
            isNameTaken: names !== undefined && isNameTaken(tables, { id, organizationId, ...names }),
            versions: backends.flatMap((each) =>
              present[backendKind(each)].has(each.id) ? (versions.get(each.id) ?? []) : [],
            ),
          }),
        );
    },
    lock: (id, user) => {
      const zone = tables.zones.get(id);
      if (zone === undefined) return errAsync(zoneNotFound());
      const { organizationId, name, tag, revision } = zone;
      return okAsync({ organizationId, name, tag, revision, membership: standingIn(unit, zone, user).membership });
    },
    queue: () => okAsync(),
    ...memoryTaking(unit),
    apply: (facts, versions, { plan, revision, audit, changeSet, mostStored }) => {
      const { zone } = facts.state;
      if (!isTrue(tables, facts, versions) || isOvertaken(unit, facts, { plan, changeSet, mostStored, revision })) {
        return okAsync<'superseded'>('superseded');
      }
      if (plan.names !== undefined && isNameTaken(tables, { ...zone, ...plan.names })) return errAsync(zoneNameTaken());
      const at = now();
      const after = changeSet?.isAlone === true ? facts.state : stateAfter(facts.state, plan, at);
      if (changeSet !== undefined) markApplied(unit, changeSet, { revision: after.zone.revision, by: facts.user, at });
      const { user } = facts;
      const { organizationId: organization } = zone;
      const recorded = memoryAuditLog(unit)
        .record({ ...audit, action: revision.action, actor: user, organization })
        .map(() => after);
      if (changeSet?.isAlone === true) return recorded;
      store(tables, after, plan);
      return memoryZoneHistory(unit)
        .add({ ...revision, zoneId: zone.id, number: after.zone.revision, author: user })
        .andThen(() => recorded);
    },
  };
};

const memoryTaking = (unit: Unit): Pick<ZoneChanges, 'lockLoser' | 'release'> => {
  const { tables, now } = unit;
  return {
    lockLoser: (id, names) => {
      const zone = tables.zones.get(id);
      const isLosing = zone !== undefined && names.every((name) => isUnproven(holderOf(tables, name), id));
      if (!isLosing) return okAsync<'superseded'>('superseded');
      return okAsync({ state: stateOf(tables, zone), replayBytes: replayBytesOf(tables, zone) });
    },
    release: ({ state }, { plan, revision, audit }) => {
      const byService = { action: revision.action, actor: undefined };
      const after = stateAfter(state, plan, now());
      store(tables, after, plan);
      return memoryZoneHistory(unit)
        .add({ ...revision, zoneId: state.zone.id, number: after.zone.revision, author: undefined })
        .andThen(() =>
          memoryAuditLog(unit).record({ ...audit, ...byService, organization: state.zone.organizationId }),
        );
    },
  };
};

const isUnproven = (holder: HostNameHolder | undefined, zone: ZoneId): boolean =>
  holder?.zone === zone && holder.proof === undefined;

const replayBytesOf = ({ revisions }: Tables, { id, revision }: ZoneRow): number =>
  revisions.get(id)?.find(({ number }) => number === revision)?.replayBytes ?? 0;

const standingIn = (unit: Unit, zone: ZoneRow, user: UserId) => {
  const { organizationId } = zone;
  const { organizations } = unit.tables;
  return {
    limits: limitsIn(unit, organizationId),
    membership: membershipsOf(unit.tables, user).get(organizationId),
    organizationRevision: organizations.get(organizationId)?.revision ?? 0,
    replayBytes: replayBytesOf(unit.tables, zone),
  };
};
/** Whether a rule of another list has the id, or one of this zone ever had it in another list. */
function isTaken({ rules, revisions }: Tables, zone: ZoneId, { kind, id }: ClaimedRule): boolean {
  const others = ruleKindNames.filter((other) => other !== kind).map((other) => ruleListNames[other]);
  const hasIt = (list: Json | undefined) =>
    isJsonObject(list) && isJsonObject(list['items']) && Object.hasOwn(list['items'], id);
  const rule = rules.get(id);
  return (
    (rule !== undefined && (rule.zoneId !== zone || rule.kind !== kind)) ||
    (revisions.get(zone) ?? []).some(({ snapshot, patch }) =>
      others.some((member) => hasIt((snapshot ?? patch)?.value[member])),
    )
  );
}

/**
 * Whether the change set is no longer open as read, the id of an added rule or a host name is taken, a domain that covers
 * one is gone, there is too little room, or a revision that the new one refers to is gone.
 */
const isOvertaken = (
  unit: Unit,
  { state }: ZoneFacts,
  { plan, changeSet, mostStored = Number.POSITIVE_INFINITY, revision: { restored } }: Omit<RecordedChange, 'audit'>,
) =>
  (restored !== undefined && !hasRevisions(unit.tables, state.zone.id, [restored.contentsFrom, restored.restFrom])) ||
  storedBytes(unit.tables, state.zone.organizationId) > mostStored ||
  (changeSet !== undefined && openRow(unit, state.zone.id, changeSet) === undefined) ||
  hasTaken(unit.tables, state.zone.id, plan);

/** Whether something that the plan adds belongs to another zone, or a domain that covers a host name is gone. */
const hasTaken = (tables: Tables, zone: ZoneId, { hostnames, lists }: ZonePlan): boolean =>
  !areFree(tables, zone, hostnames?.claims ?? []) ||
  [...(lists?.values() ?? [])].some(({ added }) => added.some(({ id }) => tables.rules.has(id)));

/** Whether no other zone has the names, and the domains that cover them exist. */
const areFree = (tables: Tables, zone: ZoneId, claims: readonly HostNameClaim[]): boolean =>
  claims.every(
    ({ name, domain }) =>
      (domain === undefined || tables.domains.has(domain)) && (holderOf(tables, name)?.zone ?? zone) === zone,
  );

/** Whether everything that a change was decided on is still true. */
function isTrue(tables: Tables, facts: ZoneFacts, versions: readonly BackendVersion[]): boolean {
  const { zone } = facts.state;
  const organization = tables.organizations.get(zone.organizationId);
  const member = organization?.members.get(facts.user);
  return (
    tables.zones.get(zone.id)?.revision === zone.revision &&
    organization?.revision === facts.organizationRevision &&
    member !== undefined &&
    member.role === facts.membership?.role &&
    versions.every(({ kind, id, revision }) => rowsOf(tables, kind).get(id)?.revision === revision)
  );
}

const rowsOf = ({ originServers, loadBalancers }: Tables, kind: BackendVersion['kind']) =>
  kind === 'origin_server' ? originServers : loadBalancers;

/** The versions of the existing backends and of their origin servers. */
const versionsOf = (tables: Tables, backends: readonly BackendReference[]): readonly BackendVersion[] =>
  backends.flatMap((backend) => {
    const kind = backendKind(backend);
    const origins = kind === 'load_balancer' ? (tables.loadBalancers.get(backend.id)?.origins ?? []) : [];
    return [
      ...versionOf(tables, kind, backend.id),
      ...origins.flatMap(({ originServer }) => versionOf(tables, 'origin_server', originServer)),
    ];
  });

const versionOf = (tables: Tables, kind: BackendVersion['kind'], id: BackendVersion['id']): BackendVersion[] => {
  const row = rowsOf(tables, kind).get(id);
  return row === undefined ? [] : [{ kind, id, revision: row.revision }];
};

/** Writes what a plan touches, taken from the resulting state. */
function store(tables: Tables, state: ZoneState, plan: ZonePlan): void {
  requireDistinct(state);
  const { zone } = state;
  tables.zones.set(zone.id, { ...zone, settings: zone.settings.text });
  if (plan.lists !== undefined) storeRules(tables, state, plan.lists);
  if (plan.users !== undefined) storeUsers(tables, state, plan.users);
}

function storeRules(
  tables: Tables,
  { zone, rules, ranks, listRevisions }: ZoneState,
  lists: NonNullable<ZonePlan['lists']>,
): void {
  for (const [kind, { removed }] of lists) {
    for (const id of removed) tables.rules.delete(id);
    for (const [index, { order: _, content, ...rule }] of rules[kind].entries())
      tables.rules.set(rule.id, { ...rule, content: content.text, rank: ranks[kind][index] ?? 0 });
    tables.ruleLists.set(listKey({ zone: zone.id, kind }), listRevisions[kind]);
  }
}

function storeUsers(
  tables: Tables,
  { users }: ZoneState,
  { added, changed, removed }: NonNullable<ZonePlan['users']>,
): void {
  const hashes = new Map([...added, ...changed].map(({ id, hash }) => [id, hash]));
  for (const id of removed) tables.basicAuthUsers.delete(id);
  for (const user of users.filter(({ id }) => hashes.has(id))) {
    const hash = hashes.get(user.id) ?? tables.basicAuthUsers.get(user.id)?.hash;
    if (hash !== undefined) tables.basicAuthUsers.set(user.id, { ...user, hash });
  }
}

/** A database's unique constraints, which plans decided on the current state never violate. */
function requireDistinct({ rules, users }: Pick<ZoneState, 'rules' | 'users'>): void {
  const keys = [
    ...users.map(({ username }) => `user ${username}`),
    ...ruleKindNames.flatMap((kind) => rules[kind].map(({ content }) => `${kind} ${nameKey(content.value.name)}`)),
  ];
  if (new Set(keys).size < keys.length) throw new Error('Two of a list have the same name.');
}

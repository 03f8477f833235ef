import type { ZoneSort } from '@zonewright/core';
import { statementFile as file, type Statement, statement, statementText } from './statement.ts';

/** Every statement of the adapters, read when the process starts: a missing one must not wait for its first request. */
export const sql = {
  accounts: {
    add: file('accounts/add.sql'),
    lock: file('accounts/lock.sql'),
    factsByEmail: file('accounts/facts-by-email.sql'),
    facts: file('accounts/facts.sql'),
    profile: file('accounts/profile.sql'),
    markEmailVerified: file('accounts/mark-email-verified.sql'),
    saveProfile: file('accounts/save-profile.sql'),
  },
  credentials: {
    setPassword: file('credentials/set-password.sql'),
    renew: file('credentials/renew.sql'),
    replacePasswordHash: file('credentials/replace-password-hash.sql'),
  },
  mailedTokens: {
    supersede: file('mailed-tokens/supersede.sql'),
    issue: file('mailed-tokens/issue.sql'),
    issuedCount: file('mailed-tokens/issued-count.sql'),
    holder: file('mailed-tokens/holder.sql'),
    lockAccount: file('mailed-tokens/lock-account.sql'),
    redeem: file('mailed-tokens/redeem.sql'),
  },
  sessions: {
    open: file('sessions/open.sql'),
    noteNetwork: file('sessions/note-network.sql'),
    forgetNetworks: file('sessions/forget-networks.sql'),
    caller: file('sessions/caller.sql'),
    list: file('sessions/list.sql'),
    total: file('sessions/total.sql'),
    end: file('sessions/end.sql'),
    endLive: file('sessions/end-live.sql'),
    endSurplus: file('sessions/end-surplus.sql'),
    endAllOf: file('sessions/end-all-of.sql'),
  },
  refreshTokens: {
    add: file('refresh-tokens/add.sql'),
    tryLock: file('refresh-tokens/try-lock.sql'),
    lockUser: file('refresh-tokens/lock-user.sql'),
    lockSession: file('refresh-tokens/lock-session.sql'),
    rotate: file('refresh-tokens/rotate.sql'),
    sessionOf: file('refresh-tokens/session-of.sql'),
  },
  challenges: {
    lockAccount: file('challenges/lock-account.sql'),
    voidAllOf: file('challenges/void-all-of.sql'),
    issue: file('challenges/issue.sql'),
    holder: file('challenges/holder.sql'),
    countAttempt: file('challenges/count-attempt.sql'),
    spend: file('challenges/spend.sql'),
  },
  twoFactor: {
    reseal: file('two-factor/reseal.sql'),
    state: file('two-factor/state.sql'),
    isEnabled: file('two-factor/is-enabled.sql'),
    begin: file('two-factor/begin.sql'),
    enable: file('two-factor/enable.sql'),
    disable: file('two-factor/disable.sql'),
    spendStep: file('two-factor/spend-step.sql'),
    removeRecoveryCodes: file('two-factor/remove-recovery-codes.sql'),
    addRecoveryCodes: file('two-factor/add-recovery-codes.sql'),
    spendRecoveryCode: file('two-factor/spend-recovery-code.sql'),
  },
  apiTokens: {
    add: file('api-tokens/add.sql'),
    activeCount: file('api-tokens/active-count.sql'),
    list: file('api-tokens/list.sql'),
    total: file('api-tokens/total.sql'),
    revoke: file('api-tokens/revoke.sql'),
    caller: file('api-tokens/caller.sql'),
    noteUse: file('api-tokens/note-use.sql'),
  },
  organizations: {
    create: file('organizations/create.sql'),
    ownedCount: file('organizations/owned-count.sql'),
    list: file('organizations/list.sql'),
    total: file('organizations/total.sql'),
    byId: file('organizations/by-id.sql'),
    lock: file('organizations/lock.sql'),
    save: file('organizations/save.sql'),
    remove: file('organizations/remove.sql'),
  },
  members: {
    list: file('members/list.sql'),
    total: file('members/total.sql'),
    byUser: file('members/by-user.sql'),
    ownerCount: file('members/owner-count.sql'),
    add: file('members/add.sql'),
    setRole: file('members/set-role.sql'),
    remove: file('members/remove.sql'),
  },
  memberships: {
    lock: file('memberships/lock.sql'),
    lockEnforcing: file('memberships/lock-enforcing.sql'),
    shareOrganization: file('memberships/share-organization.sql'),
  },
  invitations: {
    expire: file('invitations/expire.sql'),
    add: file('invitations/add.sql'),
    list: file('invitations/list.sql'),
    total: file('invitations/total.sql'),
    byId: file('invitations/by-id.sql'),
    pendingCount: file('invitations/pending-count.sql'),
    renew: file('invitations/renew.sql'),
    revoke: file('invitations/revoke.sql'),
    revokeAllOf: file('invitations/revoke-all-of.sql'),
  },
  invitationTokens: {
    byHash: file('invitation-tokens/by-hash.sql'),
    accept: file('invitation-tokens/accept.sql'),
  },
  zones: {
    add: file('zones/add.sql'),
    count: file('zones/count.sql'),
    organizationOf: file('zones/organization-of.sql'),
    head: file('zones/head.sql'),
    withContents: file('zones/with-contents.sql'),
    lock: file('zones/lock.sql'),
    nameIsTaken: file('zones/name-is-taken.sql'),
    rename: file('zones/rename.sql'),
    saveSettings: file('zones/save-settings.sql'),
    setBanToken: file('zones/set-ban-token.sql'),
    raiseVersion: file('zones/raise-version.sql'),
    remove: file('zones/remove.sql'),
    total: file('zones/total.sql'),
  },
  rules: {
    list: file('rules/list.sql'),
    all: file('rules/all.sql'),
    byId: file('rules/by-id.sql'),
    clashes: file('rules/clashes.sql'),
    order: file('rules/order.sql'),
    saveOrder: file('rules/save-order.sql'),
    add: file('rules/add.sql'),
    addMany: file('rules/add-many.sql'),
    save: file('rules/save.sql'),
    saveMany: file('rules/save-many.sql'),
    remove: file('rules/remove.sql'),
  },
  history: {
    add: file('history/add.sql'),
    list: file('history/list.sql'),
    total: file('history/total.sql'),
    byNumber: file('history/by-number.sql'),
    trail: file('history/trail.sql'),
  },
  basicAuthUsers: {
    list: file('basic-auth-users/list.sql'),
    all: file('basic-auth-users/all.sql'),
    idsIn: file('basic-auth-users/ids-in.sql'),
    byId: file('basic-auth-users/by-id.sql'),
    add: file('basic-auth-users/add.sql'),
    save: file('basic-auth-users/save.sql'),
    remove: file('basic-auth-users/remove.sql'),
  },
  backends: {
    lockOriginServers: file('backends/lock-origin-servers.sql'),
    lockLoadBalancers: file('backends/lock-load-balancers.sql'),
    lockLoadBalancersWith: file('backends/lock-load-balancers-with.sql'),
    originsBehind: file('backends/origins-behind.sql'),
    count: file('backends/count.sql'),
    users: file('backends/users.sql'),
  },
  originServers: {
    add: file('origin-servers/add.sql'),
    list: file('origin-servers/list.sql'),
    total: file('origin-servers/total.sql'),
    byId: file('origin-servers/by-id.sql'),
    lock: file('origin-servers/lock.sql'),
    clashes: file('origin-servers/clashes.sql'),
    save: file('origin-servers/save.sql'),
    remove: file('origin-servers/remove.sql'),
  },
  loadBalancers: {
    add: file('load-balancers/add.sql'),
    list: file('load-balancers/list.sql'),
    total: file('load-balancers/total.sql'),
    byId: file('load-balancers/by-id.sql'),
    lock: file('load-balancers/lock.sql'),
    clashes: file('load-balancers/clashes.sql'),
    save: file('load-balancers/save.sql'),
    removeOrigins: file('load-balancers/remove-origins.sql'),
    addOrigins: file('load-balancers/add-origins.sql'),
    remove: file('load-balancers/remove.sql'),
  },
  outbox: {
    add: file('outbox/add.sql'),
    noticeCount: file('outbox/notice-count.sql'),
    claim: file('outbox/claim.sql'),
    finish: file('outbox/finish.sql'),
    retryLater: file('outbox/retry-later.sql'),
  },
  auditLog: {
    record: file('audit-log/record.sql'),
    list: file('audit-log/list.sql'),
    total: file('audit-log/total.sql'),
  },
  idempotencyKeys: {
    claim: file('idempotency-keys/claim.sql'),
    given: file('idempotency-keys/given.sql'),
    keep: file('idempotency-keys/keep.sql'),
    kept: file('idempotency-keys/kept.sql'),
  },
} as const;

const sortColumns = {
  name: 'name_key',
  tag: 'tag',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<ZoneSort['key'], string>;
const directions = { asc: 'ASC', desc: 'DESC' } as const satisfies Record<ZoneSort['direction'], string>;
const searchCondition = "search_key LIKE ${pattern} ESCAPE '\\'";
const tagCondition = 'tag = ANY (${tags})';

const listText = statementText('zones/list.sql');
const totalText = statementText('zones/total.sql');
const totalMatchingText = statementText('zones/total-matching.sql').replace('/*search*/', searchCondition);
const totalMatching = statement('zones/total-matching', totalMatchingText);
const lists = new Map<string, Statement>();

/** Short, because connections keep 63 bytes of a statement's name: `createdAt-`. */
const sortName = ({ key, direction }: ZoneSort): string => `${key}${direction === 'asc' ? '+' : '-'}`;

/** Which conditions a list of zones has. */
export interface ZoneConditions {
  readonly byTag: boolean;
  readonly bySearch: boolean;
}

/**
 * The statement that lists zones; sort columns and conditions come from the fixed texts above only. A condition that
 * is not asked for is not in it: an index may do without the column.
 */
export function zoneList(sort: readonly ZoneSort[], { byTag, bySearch }: ZoneConditions): Statement {
  const name = [
    'zones/list',
    ...sort.map(sortName),
    ...(byTag ? ['tagged'] : []),
    ...(bySearch ? ['searched'] : []),
  ].join(' ');
  const known = lists.get(name);
  if (known !== undefined) return known;
  const order = [...sort.map(({ key, direction }) => `${sortColumns[key]} ${directions[direction]}`), 'id'].join(', ');
  const text = listText
    .replaceAll('/*order*/', () => order)
    .replace('/*tags*/', () => (byTag ? tagCondition : 'true'))
    .replace('/*search*/', () => (bySearch ? searchCondition : 'true'))
    .replace('/*total*/', () => (bySearch ? totalMatchingText : totalText));
  const made = statement(name, text);
  lists.set(name, made);
  return made;
}

/** The statement that counts zones, for pages without rows that could tell. */
export const zoneTotal = ({ bySearch }: ZoneConditions): Statement => (bySearch ? totalMatching : sql.zones.total);

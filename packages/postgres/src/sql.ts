import type { ZoneSort } from '@zonewright/core';
import { statementFile as file, type Statement, statement, statementText } from './statement.ts';

/** Every statement of the adapters, read when the process starts: a missing one must not wait for its first request. */
export const sql = {
  accounts: {
    add: file('accounts/add.sql'),
    lock: file('accounts/lock.sql'),
    loginFacts: file('accounts/login-facts.sql'),
    profile: file('accounts/profile.sql'),
    markEmailVerified: file('accounts/mark-email-verified.sql'),
    replacePasswordHash: file('accounts/replace-password-hash.sql'),
  },
  mailedTokens: {
    supersede: file('mailed-tokens/supersede.sql'),
    issue: file('mailed-tokens/issue.sql'),
    lockAccount: file('mailed-tokens/lock-account.sql'),
    redeem: file('mailed-tokens/redeem.sql'),
  },
  sessions: {
    open: file('sessions/open.sql'),
    caller: file('sessions/caller.sql'),
    end: file('sessions/end.sql'),
    endAllOf: file('sessions/end-all-of.sql'),
  },
  refreshTokens: {
    add: file('refresh-tokens/add.sql'),
    tryLock: file('refresh-tokens/try-lock.sql'),
    lockUser: file('refresh-tokens/lock-user.sql'),
    lockSession: file('refresh-tokens/lock-session.sql'),
    markUsed: file('refresh-tokens/mark-used.sql'),
    touchSession: file('refresh-tokens/touch-session.sql'),
    sessionOf: file('refresh-tokens/session-of.sql'),
  },
  organizations: {
    found: file('organizations/found.sql'),
    lockRole: file('organizations/lock-role.sql'),
    lock: file('organizations/lock.sql'),
    zoneCount: file('organizations/zone-count.sql'),
  },
  zones: {
    add: file('zones/add.sql'),
    organizationOf: file('zones/organization-of.sql'),
    byId: file('zones/by-id.sql'),
    lock: file('zones/lock.sql'),
    raiseVersion: file('zones/raise-version.sql'),
    remove: file('zones/remove.sql'),
    total: file('zones/total.sql'),
  },
  configurationRules: {
    list: file('configuration-rules/list.sql'),
    total: file('configuration-rules/total.sql'),
    byId: file('configuration-rules/by-id.sql'),
    clashes: file('configuration-rules/clashes.sql'),
    order: file('configuration-rules/order.sql'),
    saveOrder: file('configuration-rules/save-order.sql'),
    add: file('configuration-rules/add.sql'),
    save: file('configuration-rules/save.sql'),
    remove: file('configuration-rules/remove.sql'),
  },
  basicAuthUsers: { idsIn: file('basic-auth-users/ids-in.sql') },
  backends: {
    lockOriginServer: file('backends/lock-origin-server.sql'),
    lockLoadBalancer: file('backends/lock-load-balancer.sql'),
  },
  outbox: {
    add: file('outbox/add.sql'),
    claim: file('outbox/claim.sql'),
    finish: file('outbox/finish.sql'),
    retryLater: file('outbox/retry-later.sql'),
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

const listText = statementText('zones/list.sql');
const totalText = statementText('zones/total-matching.sql');
const variants = new Map<string, Statement>();

/** The statement that lists zones; sort columns and the search condition come from the fixed texts above only. */
export function zoneList(sort: readonly ZoneSort[], searching: boolean): Statement {
  const order = [...sort.map(({ key, direction }) => `${sortColumns[key]} ${directions[direction]}`), 'id'].join(', ');
  return variant(`zones/list ${order} ${searching}`, listText.replaceAll('/*order*/', order), searching);
}

export const zoneTotalMatching = (): Statement => variant('zones/total-matching', totalText, true);

function variant(name: string, text: string, searching: boolean): Statement {
  const known = variants.get(name);
  if (known !== undefined) return known;
  const made = statement(name, text.replace('/*search*/', searching ? searchCondition : 'true'));
  variants.set(name, made);
  return made;
}

import {
  type AccountStanding,
  type AuthenticatedCaller,
  type CallerError,
  type ConfirmationMethod,
  confirmableBy,
  confirmationSeconds,
  foreignNetwork,
  isUsableFrom,
  lastUsePrecisionSeconds,
  networkOfUse,
  type PlausibleCredential,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import { membershipsOf, passkeysOf } from '../organizations/memberships.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { ApiTokenRow, SessionRow, UserRow } from '../tables/account-rows.ts';
import type { Unit } from '../tables/tables.ts';

/** Only unblocked accounts with a verified address may sign in. */
export const standingOf = ({ active, emailVerified }: UserRow): AccountStanding =>
  active && emailVerified ? 'active' : 'inactive';

/** Neither ended nor expired. */
export const isLive = ({ ended, expiresAt }: SessionRow, { now }: Unit): boolean => !ended && expiresAt > now();

/** Neither revoked nor expired. */
export const isActive = ({ revoked, expiresAt }: ApiTokenRow, { now }: Unit): boolean =>
  !revoked && (expiresAt === undefined || expiresAt > now());

/** The caller of a credential, with all memberships that it grants; records the use of API tokens. */
export const callerBy = (unit: Unit, credential: PlausibleCredential): Result<AuthenticatedCaller, CallerError> =>
  credential.kind === 'session' ? bySession(unit, credential) : byApiToken(unit, credential);

function bySession(unit: Unit, { sessionId, userId }: PlausibleCredential & { readonly kind: 'session' }) {
  const session = unit.tables.sessions.get(sessionId);
  const isTheirs = session !== undefined && session.userId === userId && isLive(session, unit);
  if (!isTheirs || !isInGoodStanding(unit, userId)) return err(unauthenticated());
  const credential = { kind: 'session' as const, id: sessionId, ...confirmationOf(unit, session) };
  return ok({ userId, credential, memberships: membershipsOf(unit.tables, userId) });
}

function confirmationOf({ tables, now }: Unit, { userId, provider, createdAt, confirmedAt }: SessionRow) {
  const factor = tables.twoFactors.get(userId);
  const isEnabled = factor !== undefined && factor.pendingUntil === undefined;
  const methods: readonly ConfirmationMethod[] = [
    ...(tables.users.get(userId)?.passwordHash === undefined ? [] : ['password' as const]),
    ...(isEnabled && (factor.enrolledByConfirmed || factor.createdAt < createdAt) ? ['code' as const] : []),
    ...(passkeysOf(tables, userId).length > 0 ? ['passkey' as const] : []),
  ];
  const confirmed = secondsAfter(confirmedAt, confirmationSeconds) > now();
  return { provider, confirmed, confirmableBy: confirmableBy(methods) };
}

function byApiToken(
  unit: Unit,
  { hash, address }: PlausibleCredential & { readonly kind: 'apiToken' },
): Result<AuthenticatedCaller, CallerError> {
  const { tables, now } = unit;
  const row = [...tables.apiTokens.values()].find((token) => token.hash === hash);
  if (row === undefined || !isActive(row, unit) || !isInGoodStanding(unit, row.userId)) return err(unauthenticated());
  const { id, userId, readOnly, lastUsedAt, organizations, permissions, zones } = row;
  if (!isUsableFrom(row.networks, address)) return err(foreignNetwork(userId, id));
  if (lastUsedAt === undefined || secondsAfter(lastUsedAt, lastUsePrecisionSeconds) <= now()) {
    tables.apiTokens.set(id, { ...row, lastUsedAt: now(), lastUsedNetwork: networkOfUse(address) });
  }
  const memberships = [...membershipsOf(tables, userId)].filter(
    ([organization]) => organizations.length === 0 || organizations.includes(organization),
  );
  const scoped = organizations.length > 0;
  const credential = { kind: 'apiToken' as const, id, readOnly, scoped, permissions, zones };
  return ok({ userId, credential, memberships: new Map(memberships) });
}

const isInGoodStanding = ({ tables }: Unit, id: UserRow['id']): boolean => {
  const user = tables.users.get(id);
  return user !== undefined && standingOf(user) === 'active';
};

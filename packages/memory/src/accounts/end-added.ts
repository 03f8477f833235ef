import type { EndedAccess, UserId } from '@zonewright/core';
import type { Unit } from '../tables/tables.ts';

/**
 * Ends what has been added to an account since, and a password that was set since the address was changed; resolves to
 * what that was.
 */
export function endAdded(unit: Unit, user: UserId, since: Date, confirmedAt: Date | undefined): readonly EndedAccess[] {
  const isNew = ({ userId, createdAt }: { readonly userId: UserId; readonly createdAt: Date }) =>
    userId === user && createdAt >= since;
  return [
    ...endPasskeys(unit, isNew),
    ...endIdentities(unit, user, since),
    ...endTokens(unit, isNew),
    ...endAuthenticator(unit, user, since),
    ...endPassword(unit, user, confirmedAt),
  ];
}

type IsNew = (row: { readonly userId: UserId; readonly createdAt: Date }) => boolean;

function endPasskeys({ tables: { passkeys } }: Unit, isNew: IsNew): readonly EndedAccess[] {
  const ended = [...passkeys.values()].filter(isNew);
  for (const { id } of ended) passkeys.delete(id);
  return ended.map(({ id }) => ({ kind: 'passkey', id }));
}

function endIdentities({ tables: { identities } }: Unit, user: UserId, since: Date): readonly EndedAccess[] {
  const ended = [...identities.values()].filter((each) => each.userId === user && each.connectedAt >= since);
  for (const { id } of ended) identities.delete(id);
  return ended.map(({ id, provider }) => ({ kind: 'identity', id, provider }));
}

function endTokens({ tables: { apiTokens } }: Unit, isNew: IsNew): readonly EndedAccess[] {
  const ended = [...apiTokens.values()].filter((token) => !token.revoked && isNew(token));
  for (const token of ended) apiTokens.set(token.id, { ...token, revoked: true });
  return ended.map(({ id }) => ({ kind: 'apiToken', id }));
}

function endAuthenticator({ tables }: Unit, user: UserId, since: Date): readonly EndedAccess[] {
  const { recoveryCodes, twoFactors } = tables;
  const codes = recoveryCodes.get(user)?.filter(({ createdAt }) => createdAt < since);
  if (codes !== undefined) recoveryCodes.set(user, codes);
  const row = twoFactors.get(user);
  if (row === undefined || row.createdAt < since) return [];
  twoFactors.delete(user);
  return row.pendingUntil === undefined ? [{ kind: 'authenticator' }] : [];
}

function endPassword(unit: Unit, user: UserId, confirmedAt: Date | undefined): readonly EndedAccess[] {
  const { users } = unit.tables;
  const row = users.get(user);
  if (row === undefined) return [];
  const { passwordSetAt } = row;
  const isNew = confirmedAt !== undefined && passwordSetAt !== undefined && passwordSetAt >= confirmedAt;
  const passwordHash = isNew ? undefined : row.passwordHash;
  users.set(user, { ...row, passwordHash, updatedAt: unit.now(), revision: row.revision + 1 });
  return isNew ? [{ kind: 'password' }] : [];
}

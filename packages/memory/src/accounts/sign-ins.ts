import { type AuditAction, type SessionId, type SignIns, sessionActions, type UserId } from '@zonewright/core';
import { okAsync, ResultAsync } from 'neverthrow';
import { memoryAuditLog } from '../organizations/audit-log.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { Unit } from '../tables/tables.ts';
import { memoryRefreshTokens } from './refresh-tokens.ts';
import { memorySessions } from './sessions.ts';

export const memorySignIns = (unit: Unit): SignIns => {
  const { tables, now } = unit;
  const [sessions, refreshTokens, auditLog] = [memorySessions(unit), memoryRefreshTokens(unit), memoryAuditLog(unit)];
  const isKnown = (seen: Date | undefined, seconds: number) =>
    seen !== undefined && secondsAfter(seen, seconds) > now();
  const networksOf = (user: UserId): ReadonlyMap<string, Date> =>
    tables.signInNetworks.get(user) ?? new Map<string, Date>();
  return {
    noteNetwork: (user, network, { rememberedSeconds, kept }) => {
      const before = networksOf(user);
      const seen = before.get(network);
      const lastUsedFirst = [...before].filter(([other]) => other !== network).sort(([, a], [, b]) => +b - +a);
      const noted = [[network, now()] as const, ...lastUsedFirst].slice(0, kept);
      tables.signInNetworks.set(user, new Map(noted));
      if (before.size === 0) return okAsync('first');
      return okAsync(isKnown(seen, rememberedSeconds) ? 'known' : 'new');
    },
    openSilently: ({ session, refreshToken, client, rememberedSeconds }) => {
      const { userId, id: sessionId } = session;
      const [{ network }, before] = [client, networksOf(userId)];
      const isQuiet = network === undefined || before.size === 0 || isKnown(before.get(network), rememberedSeconds);
      if (!isQuiet) return okAsync(false);
      const { provider } = session;
      const record = (action: AuditAction, id: SessionId, by: { readonly provider?: string } = {}) =>
        auditLog.record({
          action,
          actor: userId,
          credential: undefined,
          organization: undefined,
          client,
          objects: { session: id, ...by },
        });
      return sessions
        .open(session)
        .andThrough(() => refreshTokens.add({ ...refreshToken, sessionId }))
        .andThrough(() => record(sessionActions.opened, sessionId, provider === undefined ? {} : { provider }))
        .andThen((ended) => ResultAsync.combine(ended.map((id) => record(sessionActions.ended, id))))
        .map(() => {
          if (network !== undefined) tables.signInNetworks.set(userId, new Map([...before, [network, now()]]));
          return true;
        });
    },
  };
};

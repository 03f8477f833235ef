import type { UserId } from '@zonewright/core';
import { MemoryRateLimiter, MemoryUnitOfWork, memoryExpiry, memoryIdempotencyKeys } from '@zonewright/memory';
import { okAsync } from 'neverthrow';
import type { ExpiringStorage } from './expiry.ts';
import type { LimiterStorage } from './kernel/rate-limiter/budgets.ts';
import type { Storage } from './storage.ts';

type Tables = Parameters<Parameters<MemoryUnitOfWork['arrange']>[0]>[0];
type UserRow = Tables['users'] extends Map<unknown, infer Row> ? Row : never;

/** A clock that only the test moves. */
function stillClock() {
  let elapsed = 0;
  return {
    now: () => new Date(Date.UTC(2030, 0, 1) + elapsed * 1000),
    passTime: async (seconds: number) => {
      elapsed += seconds;
    },
  };
}

/** Budgets in memory, on a single instance. */
export async function openMemoryLimiter(): Promise<LimiterStorage> {
  const { now, passTime } = stillClock();
  const limiter = new MemoryRateLimiter({ now });
  return { instances: [limiter, limiter], passTime, count: async () => limiter.size, close: async () => {} };
}

/** Storage in memory. */
export async function openMemoryStorage(): Promise<ExpiringStorage> {
  const { now, passTime } = stillClock();
  const unitOfWork = new MemoryUnitOfWork({ now });
  return {
    unitOfWork,
    unitsOverlap: false,
    // Everything started while a unit is open is queued.
    isWaiting: async () => true,
    passTime,
    idempotencyKeys: memoryIdempotencyKeys(unitOfWork),
    expiry: memoryExpiry(unitOfWork),
    ...changes(unitOfWork, now),
    ...inspections(unitOfWork, now),
    close: async () => {},
  };
}

/** Changes the tables while no unit is open, as a separate unit would. */
async function inTurn(unitOfWork: MemoryUnitOfWork, change: (tables: Tables) => void): Promise<void> {
  await unitOfWork.run(() => okAsync());
  unitOfWork.arrange(change);
}

function accountChanges(unitOfWork: MemoryUnitOfWork) {
  const alter = (id: UserId, changed: (user: UserRow) => Partial<UserRow>) =>
    inTurn(unitOfWork, ({ users }) => {
      const user = known(users, id);
      users.set(id, { ...user, ...changed(user) });
    });
  return {
    changeCredentials: (user) =>
      alter(user, ({ credentialsVersion }) => ({ credentialsVersion: credentialsVersion + 1 })),
    changeAddress: (user, email) => alter(user, () => ({ email, emailVerified: false })),
    forgetPassword: (user) => alter(user, () => ({ passwordHash: undefined })),
  } satisfies Partial<Storage>;
}

function changes(unitOfWork: MemoryUnitOfWork, now: () => Date) {
  return {
    ...accountChanges(unitOfWork),
    setRole: (organization, user, role) =>
      inTurn(unitOfWork, ({ organizations }) => {
        const row = known(organizations, organization);
        const others = [...row.members].filter(([id]) => id !== user);
        const joinedAt = row.members.get(user)?.joinedAt ?? now();
        const members = new Map(role === undefined ? others : [...others, [user, { role, joinedAt }]]);
        organizations.set(organization, { ...row, members });
      }),
  } satisfies Partial<Storage>;
}

function inspections(unitOfWork: MemoryUnitOfWork, now: () => Date) {
  const look = <T>(read: (tables: Tables) => T): T[] => {
    const found: T[] = [];
    unitOfWork.arrange((tables) => found.push(read(tables)));
    return found;
  };
  return {
    liveRefreshTokens: async (user) => {
      const [tokens = []] = look(({ refreshTokens, sessions }) =>
        [...refreshTokens.values()].filter(({ usedBy, expiresAt, sessionId }) => {
          const session = sessions.get(sessionId);
          return usedBy === undefined && expiresAt > now() && session?.userId === user && !session.ended;
        }),
      );
      return tokens.length;
    },
    basicAuthHash: async (user) => {
      const [hash = ''] = look(({ basicAuthUsers }) => known(basicAuthUsers, user).hash);
      return hash;
    },
    mailContents: async () => {
      const [mails = []] = look(({ outbox }) => [...outbox.values()].filter(({ mail }) => mail !== undefined));
      return mails.length;
    },
    stored: async () => {
      const [counts] = look((tables) => ({
        accounts: tables.users.size,
        organizations: tables.organizations.size,
        sessions: tables.sessions.size,
        refreshTokens: tables.refreshTokens.size,
        challenges: tables.challenges.size,
        passkeyChallenges: tables.passkeyChallenges.size,
        mailedTokens: tables.mailedTokens.size,
        mails: tables.outbox.size,
        idempotencyKeys: tables.idempotencyKeys.size,
        deletedZones: tables.deletedZones.size,
        rules: tables.rules.size,
        basicAuthUsers: tables.basicAuthUsers.size,
        zoneRevisions: [...tables.revisions.values()].flat().length,
        changeSets: tables.changeSets.size,
        domains: tables.domains.size,
      }));
      if (counts === undefined) throw new Error('The tables were not read.');
      return counts;
    },
  } satisfies Partial<ExpiringStorage>;
}

function known<K, V>(rows: ReadonlyMap<K, V>, key: K): V {
  const row = rows.get(key);
  if (row === undefined) throw new Error('The test changes a row that does not exist.');
  return row;
}

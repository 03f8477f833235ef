import {
  type AuthenticationMethod,
  emailKey,
  type OrganizationId,
  OrganizationName,
  type PasswordHash,
  Registration,
  type Role,
  type SessionId,
  type TokenHash,
  type UnitOfWork,
  type UserId,
} from '@zonewright/core';
import { MemoryRateLimiter, MemoryUnitOfWork, memoryIdempotencyKeys } from '@zonewright/memory';
import { pino } from 'pino';
import type { Config } from '../../src/config/config.ts';
import { serve } from '../../src/service.ts';
import type { Storage } from '../../src/storage.ts';
import { freshKeys, type LogLine, testConfig } from './service.ts';

/** The whole service over real HTTP, with everything it stores in memory: for tests of HTTP alone. */
export interface MemoryService {
  /** Where it answers; also its public base URL. */
  readonly url: string;
  /** For arranging what would take the API many requests. */
  readonly unitOfWork: UnitOfWork;
  /** What it logged so far. */
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

/** Starts the service on a free port. It delivers no mails. */
export async function openMemoryService(overrides: Partial<Config> = {}): Promise<MemoryService> {
  const storage = memoryStorage();
  const lines: LogLine[] = [];
  const running = await serve(
    {
      // Nobody listens there: mails stay in the outbox.
      config: { ...(await testConfig('smtp://127.0.0.1:9')), ...overrides },
      keys: freshKeys(),
      log: pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as LogLine) }),
    },
    () => Promise.resolve(storage),
  );
  return { url: running.url, unitOfWork: storage.unitOfWork, log: lines, close: () => running.close() };
}

function memoryStorage(): Storage {
  const unitOfWork = new MemoryUnitOfWork();
  return {
    unitOfWork,
    limiter: new MemoryRateLimiter(),
    idempotencyKeys: memoryIdempotencyKeys(unitOfWork),
    ping: () => Promise.resolve(),
    cleanUp: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
}

interface VerifiedUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordHash: string;
  readonly session: string;
  readonly refreshTokenHash: string;
}

const days = (count: number): number => count * 24 * 60 * 60;
const methods: readonly AuthenticationMethod[] = ['pwd'];

/** Stores a verified account with its organization, and a session with a refresh token; the organization's id. */
export async function storeVerifiedUser(
  { unitOfWork }: Pick<MemoryService, 'unitOfWork'>,
  { session, refreshTokenHash, ...user }: VerifiedUser,
): Promise<number> {
  const { email, firstName, lastName } = Registration.parse(user);
  const id = user.id as UserId;
  const sessionId = session as SessionId;
  const opened = { id: sessionId, userId: id, credentialsVersion: 1, methods, userAgent: undefined, maxLive: 100 };
  const token = { hash: refreshTokenHash as TokenHash, sessionId, lifetimeSeconds: days(30) };
  const stored = await unitOfWork.run(({ accounts, organizations, sessions, refreshTokens }) =>
    accounts
      .add({ id, email, firstName, lastName, passwordHash: user.passwordHash as PasswordHash })
      .andThen(() => accounts.markEmailVerified(id, emailKey(email)))
      .andThen(() => organizations.create({ name: OrganizationName.parse(`${firstName} ${lastName}`), owner: id }))
      .andThrough(() => sessions.open({ ...opened, lifetimeSeconds: days(90) }))
      .andThrough(() => refreshTokens.add(token)),
  );
  return stored.match(
    (organization) => organization.id,
    (refusal) => {
      throw new Error(`The user cannot be stored: ${refusal.type}`);
    },
  );
}

/** Makes a user a member of an organization. */
export async function storeMembership(
  { unitOfWork }: Pick<MemoryService, 'unitOfWork'>,
  user: string,
  organization: number,
  role: Role,
): Promise<void> {
  await unitOfWork.run(({ members }) => members.add(organization as OrganizationId, user as UserId, role));
}

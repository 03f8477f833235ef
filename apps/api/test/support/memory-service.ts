import { analysesInThread } from '@zonewright/analysis';
import type { Config, Keys } from '@zonewright/configuration';
import {
  type AuthenticationMethod,
  type DomainStorage,
  emailKey,
  type OrganizationId,
  OrganizationName,
  Password,
  Registration,
  type Role,
  type SessionId,
  type SignInProviders,
  type TokenHash,
  type UserId,
} from '@zonewright/core';
import {
  MemoryRateLimiter,
  MemoryUnitOfWork,
  memoryDns,
  memoryExpiry,
  memoryIdempotencyKeys,
  plainPasswords,
} from '@zonewright/memory';
import { pino } from 'pino';
import { serve } from '../../src/process/service.ts';
import type { Storage } from '../../src/process/storage.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { freeWork, freshKeys, type LogLine, testConfig } from './service.ts';

/** The whole service over real HTTP and SMTP, but with in-memory storage and unhashed passwords: for tests of HTTP. */
export interface MemoryService {
  /** Its base URL, which is also the public one. */
  readonly url: string;
  /** For arrangements that would take many requests. */
  readonly unitOfWork: DomainStorage;
  /** Reads or changes stored rows directly, for states that no request leads to. */
  readonly inTables: <T>(work: (tables: Tables) => T) => T;
  readonly mails: Mailbox;
  /** What the service finds in DNS. */
  readonly dns: ReturnType<typeof memoryDns>;
  readonly keys: Keys;
  /** Log lines so far. */
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

const passwords = plainPasswords();

type Tables = Parameters<Parameters<MemoryUnitOfWork['arrange']>[0]>[0];

/** Starts the service on a free port. */
export async function openMemoryService(
  overrides: Partial<Config> = {},
  analyses = analysesInThread(),
  signInProviders?: SignInProviders,
): Promise<MemoryService> {
  const mails = await openMailbox();
  const config = { ...(await testConfig(mails.url)), ...overrides };
  const { usageLimits: limits, hostNameRules } = config;
  const unitOfWork = new MemoryUnitOfWork({ limits, hostNameRules });
  const lines: LogLine[] = [];
  const keys = freshKeys();
  const dns = memoryDns();
  const running = await serve(
    {
      config,
      keys,
      passwords,
      // A test with name servers of its own asks those.
      ...(config.dnsServers.length === 0 && { dns }),
      pointsOf: freeWork,
      analyses,
      signInProviders,
      log: pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as LogLine) }),
    },
    () => Promise.resolve({ storage: memoryStorage(unitOfWork) }),
  );
  const close = async () => {
    await running.close();
    await mails.close();
  };
  return { url: running.url, unitOfWork, inTables: inTablesOf(unitOfWork), mails, dns, keys, log: lines, close };
}

const memoryStorage = (unitOfWork: MemoryUnitOfWork): Storage => ({
  unitOfWork,
  limiter: new MemoryRateLimiter(),
  idempotencyKeys: memoryIdempotencyKeys(unitOfWork),
  ping: () => Promise.resolve(),
  pool: () => ({ connections: 0, idle: 0, waiting: 0 }),
  outbox: () => Promise.resolve({ mails: 0, oldestSeconds: 0 }),
  failedCleanUps: () => new Map(),
  cleanUp: async () => (await memoryExpiry(unitOfWork).removeExpired()) > 0,
  close: () => Promise.resolve(),
});

const inTablesOf =
  (unitOfWork: MemoryUnitOfWork): MemoryService['inTables'] =>
  (work) => {
    const results: ReturnType<typeof work>[] = [];
    unitOfWork.arrange((tables) => results.push(work(tables)));
    const [result] = results;
    // The work ran once and returned this.
    return result as ReturnType<typeof work>;
  };

/** Updates members of all stored rows that match `which`. */
export function changeRows<K, V>(rows: Map<K, V>, which: (row: V, key: K) => boolean, changes: Partial<V>): void {
  for (const [key, row] of rows) if (which(row, key)) rows.set(key, { ...row, ...changes });
}

interface VerifiedUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly session: string;
  readonly refreshTokenHash: string;
}

const days = (count: number): number => count * 24 * 60 * 60;
const methods: readonly AuthenticationMethod[] = ['pwd'];

/**
 * Stores a verified account with its organization, and a session with a refresh token; returns the organization's id.
 */
export async function storeVerifiedUser(
  { unitOfWork }: Pick<MemoryService, 'unitOfWork'>,
  { session, refreshTokenHash, ...user }: VerifiedUser,
): Promise<number> {
  const { email, firstName, lastName } = Registration.parse(user);
  const id = user.id as UserId;
  const sessionId = session as SessionId;
  const opened = {
    id: sessionId,
    userId: id,
    credentialsVersion: 1,
    methods,
    provider: undefined,
    userAgent: undefined,
    maxLive: 100,
  };
  const token = { hash: refreshTokenHash as TokenHash, sessionId, lifetimeSeconds: days(30) };
  const stored = await passwords.hash(Password.parse(user.password)).andThen((passwordHash) =>
    unitOfWork.run(({ accounts, organizations, sessions, refreshTokens }) =>
      accounts
        .add({ id, email, firstName, lastName, passwordHash })
        .andThen(() => accounts.markEmailVerified(id, emailKey(email)))
        .andThen(() => organizations.create({ name: OrganizationName.parse(`${firstName} ${lastName}`), owner: id }))
        .andThrough(() => sessions.open({ ...opened, lifetimeSeconds: days(90) }))
        .andThrough(() => refreshTokens.add(token)),
    ),
  );
  return stored.match(
    (organization) => organization.id,
    (refusal) => {
      throw new Error(`The user cannot be stored: ${refusal.type}`);
    },
  );
}

/** Adds a user to an organization. */
export async function storeMembership(
  { unitOfWork }: Pick<MemoryService, 'unitOfWork'>,
  user: string,
  organization: number,
  role: Role,
): Promise<void> {
  await unitOfWork.run(({ members }) => members.add(organization as OrganizationId, user as UserId, role));
}

type UserRow = Tables['users'] extends Map<unknown, infer Row> ? Row : never;

/** Changes a stored account, for states that no request leads to. */
export const changeUser = ({ inTables }: Pick<MemoryService, 'inTables'>, id: string, changes: Partial<UserRow>) =>
  inTables(({ users }) => changeRows(users, (user) => user.id === id, changes));

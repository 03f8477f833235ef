import { randomBytes } from 'node:crypto';
import { type Config, type Keys, keyPurposes } from '@zonewright/configuration';
import type { PasswordHashes } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import getPort from 'get-port';
import { pino } from 'pino';
import {
  type RunningService,
  type ServiceOptions,
  type StartOptions,
  startService,
} from '../../src/process/service.ts';
import type { PostgresStorageOptions } from '../../src/process/storage.ts';
import { configOf } from './config.ts';
import { freshDatabase } from './database.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';

/** A parsed log line. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The whole service with real HTTP, PostgreSQL and SMTP. */
export interface TestService {
  /** Its base URL, which is also the public one. */
  readonly url: string;
  readonly databaseUrl: string;
  /** For arranging and inspecting what has no endpoint. */
  readonly database: Database;
  readonly mails: Mailbox;
  readonly keys: Keys;
  /** Replaces slow password hashing, if set. */
  readonly passwords?: PasswordHashes | undefined;
  /** Log lines so far. */
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

/** Starts the service on a free port with its own database, keys and mailbox. */
export async function openService(
  overrides: Partial<Config> = {},
  outside: Pick<
    ServiceOptions & PostgresStorageOptions,
    'onStatement' | 'hashing' | 'passwords' | 'pointsOf' | 'signInProviders'
  > &
    Pick<StartOptions, 'threadLimits'> = {},
): Promise<TestService> {
  const mails = await openMailbox();
  const { url: databaseUrl, database } = await freshDatabase();
  const lines: LogLine[] = [];
  const keys = freshKeys();
  const running = await startService({
    config: { ...(await testConfig(mails.url)), ...overrides },
    keys,
    databaseUrl: overrides.databaseUrl ?? databaseUrl,
    log: pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as LogLine) }),
    pointsOf: freeWork,
    // Starting one from source takes longer than most tests.
    threadLimits: undefined,
    ...outside,
  });
  return {
    url: running.url,
    databaseUrl,
    database,
    mails,
    keys,
    passwords: outside.passwords,
    log: lines,
    close: async () => {
      await running.close();
      await database.$pool.end();
      await mails.close();
    },
  };
}

/** Starts another instance of a service: same database, keys and public base URL, another port. */
export async function openTwin(
  { url: publicBaseUrl, databaseUrl, keys, mails }: TestService,
  overrides: Partial<Config> = {},
  outside: Pick<ServiceOptions & PostgresStorageOptions, 'onStatement' | 'passwords' | 'pointsOf' | 'signInProviders'> &
    Pick<StartOptions, 'threadLimits'> = {},
): Promise<RunningService> {
  const config = await testConfig(mails.url);
  const running = await startService({
    config: { ...config, ...overrides, publicBaseUrl },
    keys,
    databaseUrl,
    log: pino({ level: 'silent' }),
    pointsOf: freeWork,
    threadLimits: undefined,
    ...outside,
  });
  return { url: config.publicBaseUrl, close: () => running.close() };
}

/** Work is free, because a busy machine makes it slow, and many tests count requests. */
export const freeWork = (): number => 0;

/**
 * Limits are a thousand times the default, because suites send many requests in a short time. The pool has room for four
 * requests of a user at once.
 */
export async function testConfig(smtpUrl: string): Promise<Config> {
  const port = await getPort({ host: '127.0.0.1' });
  return configOf({
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Zonewright <zones@example.com>',
    RATE_LIMIT_SCALE: '1000',
    DATABASE_POOL: '20',
  });
}

/** New random keys. */
export const freshKeys = (): Keys =>
  Object.fromEntries(
    keyPurposes.map((purpose) => [purpose, { current: 'k1', keys: [{ kid: 'k1', key: randomBytes(32) }] }]),
  ) as unknown as Keys;

import { setTimeout as pause } from 'node:timers/promises';
import {
  deliverNextMail,
  type Mailer,
  type PasswordBlocklist,
  type Ports,
  type UnitOfWork,
  useCases,
} from '@zonewright/core';
import {
  aesSecretBox,
  argon2Passwords,
  bcryptPasswords,
  type KeyRing as CryptoKeyRing,
  type HashingGate,
  hashingGate,
  hmacRecoveryCodes,
  jwtAccessTokens,
  nodeRandomness,
  otplibCodes,
  qrCodes,
  sha256TokenHashes,
} from '@zonewright/crypto';
import {
  type Database,
  type DatabaseOptions,
  type IdempotencyKeys,
  openDatabase,
  PostgresUnitOfWork,
  postgresIdempotencyKeys,
  postgresRateLimiter,
  type RateLimiter,
} from '@zonewright/postgres';
import { Container, type ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import type { KeyRing, Keys } from './config/keys-file.ts';
import { documentationLink } from './description/linked-data/vocabulary.ts';
import { trustedProxyList } from './http/client-address.ts';
import { payloadBudget } from './limits/payload-budget.ts';
import { type ClosableMailer, openMailer } from './mailer.ts';
import type { Metrics } from './metrics.ts';
import { routeTable } from './routes/index.ts';
import { describingDocuments } from './site/documents.ts';
import { cleanUpWorker } from './workers/clean-up-worker.ts';
import { mailWorker } from './workers/mail-worker.ts';
import type { Worker } from './workers/worker.ts';

/** What the outside decides. */
export interface Environment {
  readonly config: Config;
  readonly keys: Keys;
  readonly databaseUrl: string;
  readonly blocklist: PasswordBlocklist;
  readonly log: Logger;
  /** Absent where nobody looks at figures. */
  readonly metrics: Metrics | undefined;
  /** The process is about to end: it finishes what is under way and wants no more. */
  readonly isDraining: () => boolean;
  /** For those who want to know what a request asks of the database. */
  readonly onStatement?: DatabaseOptions['onStatement'];
  /** Where every slow hash waits for its turn; one that suits the machine unless given. */
  readonly hashing?: HashingGate;
}

const id = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** What the container holds. Identifiers carry their types: swapped or missing arguments do not compile. */
export const ids = {
  environment: id<Environment>('environment'),
  database: id<Database>('database'),
  unitOfWork: id<UnitOfWork>('unitOfWork'),
  limiter: id<RateLimiter>('limiter'),
  idempotencyKeys: id<IdempotencyKeys>('idempotencyKeys'),
  mailer: id<ClosableMailer>('mailer'),
  mailWorker: id<Worker>('mailWorker'),
  cleanUpWorker: id<Worker>('cleanUpWorker'),
  ports: id<Ports>('ports'),
  app: id<Koa>('app'),
} as const;

/** Mails of one purpose that one account gets in an hour, however often somebody asks. */
const mailsPerHour = 3;

/** Wires the service. Nothing is opened before it is asked for; `container.unbindAllAsync()` closes what was. */
export function compose(environment: Environment): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(ids.environment).toConstantValue(environment);
  bindStorage(container);
  bindWorkers(container);
  bindPorts(container);
  bindApp(container);
  return container;
}

function bindStorage(container: Container): void {
  container
    .bind(ids.database)
    .toResolvedValue(
      ({ databaseUrl, log, onStatement }: Environment) =>
        openDatabase({
          url: databaseUrl,
          onStatement,
          onLostConnection: (failure) => log.warn({ err: failure }, 'database connection lost'),
        }),
      [ids.environment],
    )
    .onDeactivation((database) => database.$pool.end());
  container.bind(ids.unitOfWork).toResolvedValue(
    (database: Database, { keys }: Environment) =>
      new PostgresUnitOfWork(database, {
        outbox: aesSecretBox(ringOf(keys.outbox)),
        totp: aesSecretBox(ringOf(keys.totp)),
      }),
    [ids.database, ids.environment],
  );
  container
    .bind(ids.limiter)
    .toResolvedValue(
      (database: Database, { keys }: Environment) => postgresRateLimiter(database, { key: currentKey(keys.limiter) }),
      [ids.database, ids.environment],
    );
  container
    .bind(ids.idempotencyKeys)
    .toResolvedValue(
      (database: Database, { keys }: Environment) =>
        postgresIdempotencyKeys(database, aesSecretBox(ringOf(keys.outbox))),
      [ids.database, ids.environment],
    );
}

function bindWorkers(container: Container): void {
  container
    .bind(ids.mailer)
    .toResolvedValue(({ config }: Environment) => openMailer(config), [ids.environment])
    .onDeactivation((mailer) => mailer.close());
  container.bind(ids.mailWorker).toResolvedValue(
    (ports: Ports, mailer: Mailer, { config, log }: Environment) =>
      mailWorker({
        deliverNextMail: deliverNextMail({
          ...ports,
          mailer,
          cap: { mailsPerHour: Math.max(1, Math.round(mailsPerHour * config.rateLimitScale)) },
        }),
        log,
      }),
    [ids.ports, ids.mailer, ids.environment],
  );
  container
    .bind(ids.cleanUpWorker)
    .toResolvedValue(
      (database: Database, limiter: RateLimiter, { log }: Environment) => cleanUpWorker({ database, limiter, log }),
      [ids.database, ids.limiter, ids.environment],
    );
}

function bindPorts(container: Container): void {
  container.bind(ids.ports).toResolvedValue(
    (
      unitOfWork: UnitOfWork,
      { config: { publicBaseUrl }, keys, blocklist, hashing = hashingGate() }: Environment,
    ): Ports => ({
      unitOfWork,
      blocklist,
      passwords: argon2Passwords(hashing),
      basicAuthPasswords: bcryptPasswords(hashing),
      accessTokens: jwtAccessTokens({ keys: ringOf(keys.jwt), issuer: publicBaseUrl, audience: publicBaseUrl }),
      randomness: nodeRandomness(),
      tokenHashes: sha256TokenHashes(),
      oneTimeCodes: otplibCodes({ issuer: 'Zonewright' }),
      qrCodes: qrCodes(),
      recoveryCodeHashes: hmacRecoveryCodes(ringOf(keys.recovery)),
    }),
    [ids.unitOfWork, ids.environment],
  );
}

function bindApp(container: Container): void {
  container.bind(ids.app).toResolvedValue(
    (
      ports: Ports,
      database: Database,
      limiter: RateLimiter,
      idempotencyKeys: IdempotencyKeys,
      { config, log, metrics, isDraining }: Environment,
    ) => {
      const all = useCases(ports);
      const routes = routeTable(all);
      return createApp({
        measure: metrics?.middleware,
        routes,
        documentationLink: documentationLink(config),
        documents: describingDocuments(routes, config),
        authenticate: all.authenticate,
        isPlausible: all.isPlausible,
        recordRefusal: all.recordRefusal,
        limiter,
        idempotencyKeys,
        payloads: payloadBudget(),
        budgets: config,
        trustedProxies: trustedProxyList(config.trustedProxies),
        trustedOrigins: new Set([new URL(config.publicBaseUrl).origin, ...config.corsOrigins]),
        corsOrigins: config.corsOrigins,
        isReady: async () => !isDraining() && (await answersSoon(database)),
        log,
      });
    },
    [ids.ports, ids.database, ids.limiter, ids.idempotencyKeys, ids.environment],
  );
}

/** Whoever asks for readiness wants to know now; a database that takes longer is none. */
const readyMilliseconds = 150;

const answersSoon = (database: Database): Promise<boolean> =>
  Promise.race([
    database.one('SELECT 1').then(
      () => true,
      () => false,
    ),
    pause(readyMilliseconds, false),
  ]);

const ringOf = ({ current, keys }: KeyRing): CryptoKeyRing => ({
  current,
  keys: new Map(keys.map(({ kid, key }) => [kid, key])),
});

/** Keys of limits are never read back, so old ones are of no use. */
function currentKey({ current, keys }: KeyRing): Uint8Array {
  const found = keys.find(({ kid }) => kid === current);
  if (found === undefined) throw new Error('The current key is not in its key ring.');
  return found.key;
}

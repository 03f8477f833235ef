import {
  type AccessTokens,
  authenticate,
  checkZoneAccess,
  createRule,
  createZone,
  deleteRule,
  deleteZone,
  deliverNextMail,
  listRules,
  listZones,
  logIn,
  logOut,
  type Mailer,
  type PasswordHashes,
  type Randomness,
  readProfile,
  readRule,
  readZone,
  refreshSession,
  register,
  type TokenHashes,
  type UnitOfWork,
  updateRule,
  verifyEmail,
} from '@zonewright/core';
import {
  aesSecretBox,
  argon2Passwords,
  type KeyRing as CryptoKeyRing,
  jwtAccessTokens,
  nodeRandomness,
  sha256TokenHashes,
} from '@zonewright/crypto';
import { type Database, openDatabase, PostgresUnitOfWork } from '@zonewright/postgres';
import { Container, type ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createApp } from './http/app.ts';
import type { KeyRing, Keys } from './keys-file.ts';
import { type MailWorker, mailWorker } from './mail-worker.ts';
import { type ClosableMailer, openMailer } from './mailer.ts';
import type { Metrics } from './metrics.ts';
import { routeTable, type UseCases } from './routes/index.ts';

export interface Environment {
  readonly config: Config;
  readonly keys: Keys;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Absent where nobody looks at figures. */
  readonly metrics: Metrics | undefined;
}

const id = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** What the container holds. Identifiers carry their types: swapped or missing arguments do not compile. */
export const ids = {
  environment: id<Environment>('environment'),
  database: id<Database>('database'),
  unitOfWork: id<UnitOfWork>('unitOfWork'),
  passwords: id<PasswordHashes>('passwords'),
  accessTokens: id<AccessTokens>('accessTokens'),
  randomness: id<Randomness>('randomness'),
  tokenHashes: id<TokenHashes>('tokenHashes'),
  mailer: id<ClosableMailer>('mailer'),
  mailWorker: id<MailWorker>('mailWorker'),
  useCases: id<UseCases>('useCases'),
  app: id<Koa>('app'),
} as const;

/** Wires the service. Nothing is opened before it is asked for; `container.unbindAllAsync()` closes what was. */
export function compose(environment: Environment): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(ids.environment).toConstantValue(environment);
  bindAdapters(container);
  bindUseCases(container);
  container.bind(ids.app).toResolvedValue(
    (
      useCases: UseCases,
      unitOfWork: UnitOfWork,
      accessTokens: AccessTokens,
      database: Database,
      { config, log, metrics }: Environment,
    ) =>
      createApp({
        measure: metrics?.middleware,
        routes: routeTable(useCases),
        authenticate: authenticate({ unitOfWork, accessTokens }),
        trustedOrigins: new Set([new URL(config.publicBaseUrl).origin, ...config.corsOrigins]),
        isReady: () =>
          database.one('SELECT 1').then(
            () => true,
            () => false,
          ),
        log,
      }),
    [ids.useCases, ids.unitOfWork, ids.accessTokens, ids.database, ids.environment],
  );
  return container;
}

function bindAdapters(container: Container): void {
  container
    .bind(ids.database)
    .toResolvedValue(
      ({ databaseUrl, log }: Environment) =>
        openDatabase({
          url: databaseUrl,
          onLostConnection: (failure) => log.warn({ err: failure }, 'a database connection was lost'),
        }),
      [ids.environment],
    )
    .onDeactivation((database) => database.$pool.end());
  container
    .bind(ids.unitOfWork)
    .toResolvedValue(
      (database: Database, { keys }: Environment) =>
        new PostgresUnitOfWork(database, aesSecretBox(ringOf(keys.outbox))),
      [ids.database, ids.environment],
    );
  container.bind(ids.passwords).toResolvedValue(() => argon2Passwords());
  container.bind(ids.randomness).toResolvedValue(() => nodeRandomness());
  container.bind(ids.tokenHashes).toResolvedValue(() => sha256TokenHashes());
  container
    .bind(ids.accessTokens)
    .toResolvedValue(
      ({ keys, config: { publicBaseUrl } }: Environment) =>
        jwtAccessTokens({ keys: ringOf(keys.jwt), issuer: publicBaseUrl, audience: publicBaseUrl }),
      [ids.environment],
    );
  container
    .bind(ids.mailer)
    .toResolvedValue(({ config }: Environment) => openMailer(config), [ids.environment])
    .onDeactivation((mailer) => mailer.close());
  container
    .bind(ids.mailWorker)
    .toResolvedValue(
      (unitOfWork: UnitOfWork, mailer: Mailer, { log }: Environment) =>
        mailWorker({ deliverNextMail: deliverNextMail({ unitOfWork, mailer }), log }),
      [ids.unitOfWork, ids.mailer, ids.environment],
    );
}

function bindUseCases(container: Container): void {
  container.bind(ids.useCases).toResolvedValue(
    (
      unitOfWork: UnitOfWork,
      passwords: PasswordHashes,
      accessTokens: AccessTokens,
      randomness: Randomness,
      tokenHashes: TokenHashes,
    ): UseCases => ({
      register: register({ unitOfWork, passwords, randomness, tokenHashes }),
      verifyEmail: verifyEmail({ unitOfWork, tokenHashes }),
      readProfile: readProfile({ unitOfWork }),
      logIn: logIn({ unitOfWork, passwords, accessTokens, randomness, tokenHashes }),
      refreshSession: refreshSession({ unitOfWork, accessTokens, randomness, tokenHashes }),
      logOut: logOut({ unitOfWork, accessTokens, tokenHashes }),
      listZones: listZones({ unitOfWork }),
      createZone: createZone({ unitOfWork, randomness }),
      readZone: readZone({ unitOfWork }),
      deleteZone: deleteZone({ unitOfWork }),
      listRules: listRules({ unitOfWork }),
      createRule: createRule({ unitOfWork, randomness }),
      readRule: readRule({ unitOfWork }),
      updateRule: updateRule({ unitOfWork }),
      deleteRule: deleteRule({ unitOfWork }),
      checkZoneAccess: checkZoneAccess({ unitOfWork }),
    }),
    [ids.unitOfWork, ids.passwords, ids.accessTokens, ids.randomness, ids.tokenHashes],
  );
}

const ringOf = ({ current, keys }: KeyRing): CryptoKeyRing => ({
  current,
  keys: new Map(keys.map(({ kid, key }) => [kid, key])),
});

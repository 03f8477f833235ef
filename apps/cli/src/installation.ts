import { userInfo } from 'node:os';
import {
  type Config,
  cryptography,
  describeConfigError,
  type Keys,
  loadConfig,
  openKeys,
  readPasswordBlocklist,
  secretBoxes,
} from '@zonewright/configuration';
import type { Operator, Ports } from '@zonewright/core';
import { hashingGate } from '@zonewright/crypto';
import {
  type Database,
  openDatabase,
  PostgresUnitOfWork,
  pendingMigrations,
  type SecretBoxes,
} from '@zonewright/postgres';
import { CommandFailure, exitCodes } from './failure.ts';

/** The same environment, keys file and database as the service. */
export interface Deployment {
  readonly config: Config;
  readonly databaseUrl: string;
  /** The database without a connection pooler. */
  readonly directUrl: string;
  close(): Promise<void>;
}

/** Commands run no analyses, so they start no threads; they look at no domains, and nobody signs in. */
type CommandPorts = Omit<
  Ports,
  'analyses' | 'dns' | 'hostNameRules' | 'publications' | 'passkeyCeremonies' | 'signInProviders'
>;

/** A deployment with an open, migrated database. */
export interface Installation {
  readonly config: Config;
  readonly keys: Keys;
  readonly databaseUrl: string;
  readonly directUrl: string;
  readonly database: Database;
  readonly boxes: SecretBoxes;
  readonly unitOfWork: PostgresUnitOfWork;
  readonly ports: CommandPorts;
  readonly operator: Operator;
  close(): Promise<void>;
}

/** Reads the configuration from the environment; rejects with all errors in it. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(env).match((config) => config, refuse);

/** Reads the keys; creates them if missing, except in production. */
export const readKeys = ({ keysFile, environment }: Config): Keys =>
  openKeys(keysFile, { createIfMissing: environment !== 'production' }).match((keys) => keys, refuse);

function refuse(errors: readonly Parameters<typeof describeConfigError>[0][]): never {
  throw new CommandFailure(errors.map(describeConfigError), exitCodes.misused);
}

/**
 * Opens the deployment described by the environment. Without DATABASE_URL it uses the development server, starting it unless
 * the service has.
 */
export async function openDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  const config = readConfig(env);
  if (config.databaseUrl !== undefined) {
    const { databaseUrl, databaseDirectUrl: directUrl = databaseUrl } = config;
    return { config, databaseUrl, directUrl, close: async () => {} };
  }
  const { servedUrl, startEmbeddedPostgres } = await import('@zonewright/dev-postgres');
  const running = await servedUrl(config.dataDir);
  if (running !== undefined) return { config, databaseUrl: running, directUrl: running, close: async () => {} };
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir });
  return { config, databaseUrl: server.url, directUrl: server.url, close: () => server.stop() };
}

/** Opens an installation; all migrations must have been applied. */
export async function openInstallation(deployment: Deployment, command: string): Promise<Installation> {
  const { config, databaseUrl } = deployment;
  const keys = readKeys(config);
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length > 0) {
    throw new CommandFailure([`The database is missing ${pending.length} migrations: run "zonewright migrate" first.`]);
  }
  const database = openDatabase({ url: databaseUrl, pooler: config.databasePooler, connections: 4 });
  const boxes = secretBoxes(keys);
  const unitOfWork = new PostgresUnitOfWork(database, boxes, {
    limits: config.usageLimits,
    hostNameRules: config.hostNameRules,
  });
  return {
    config,
    keys,
    databaseUrl,
    directUrl: deployment.directUrl,
    database,
    boxes,
    unitOfWork,
    ports: {
      unitOfWork,
      blocklist: readPasswordBlocklist(config.passwordBlocklistFile),
      originNetworks: config.originNetworks,
      ...cryptography({ config, keys, hashing: hashingGate() }),
    },
    operator: { network: undefined, userAgent: `zonewright ${command} (${userInfo().username})`.slice(0, 200) },
    close: () => database.$pool.end(),
  };
}

import type { ConfigError } from './config-error.ts';

/** The databases, and the processes on this machine that share connections to them. */
export interface DatabaseConfig {
  /** Undefined: the embedded server in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** For features that need a session: the same database without a pooler in between. Undefined: the same URL. */
  readonly databaseDirectUrl: string | undefined;
  /** Whether a connection pooler is in between; `prepared`: one that keeps prepared statements too. */
  readonly databasePooler: 'off' | 'on' | 'prepared';
  /** Maximum number of connections from all processes on this machine. */
  readonly databasePool: number;
  /** Number of processes on this machine. */
  readonly workers: number;
}

/** The parsed variables. */
interface DatabaseVariables {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly DATABASE_POOLER: DatabaseConfig['databasePooler'];
  readonly DATABASE_POOL?: number | undefined;
  readonly WORKERS?: number | undefined;
}

/** A unit of work may hold one while the same request needs another. */
const minConnections = 2;

/** The database configuration, with defaults. */
export function databaseIn({
  WORKERS: workers = 1,
  DATABASE_POOL: pool = Math.max(20, minConnections * workers),
  ...given
}: DatabaseVariables): DatabaseConfig {
  return {
    workers,
    databaseUrl: given.DATABASE_URL,
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
    databasePooler: given.DATABASE_POOLER,
    databasePool: pool,
  };
}

/** Inconsistencies between variables. */
export const databaseErrors = (config: DatabaseConfig): ConfigError[] => [...urlErrors(config), ...poolErrors(config)];

const urlErrors = ({ databaseUrl, databaseDirectUrl, databasePooler }: DatabaseConfig): ConfigError[] =>
  Object.entries({ DATABASE_DIRECT_URL: databaseDirectUrl !== undefined, DATABASE_POOLER: databasePooler !== 'off' })
    .filter(([, isSet]) => isSet && databaseUrl === undefined)
    .map(([variable]) => ({ variable, problem: 'needs DATABASE_URL, which is not set' }));

const poolErrors = ({ databasePool, workers }: DatabaseConfig): ConfigError[] =>
  databasePool < minConnections * workers
    ? [
        {
          variable: 'DATABASE_POOL',
          problem: `"${databasePool}" is too few for ${workers} processes (WORKERS), which need ${minConnections} each`,
        },
      ]
    : [];

import type { ConfigMistake } from './config-mistake.ts';

/** Databases, and the processes of this machine that share the connections to them. */
export interface DatabaseConfig {
  /** Undefined: the embedded server in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** For what needs a session of its own: the same database without a pooler in between. Undefined: the same URL. */
  readonly databaseDirectUrl: string | undefined;
  /** A hot standby of the database. Undefined: there is none to read from. */
  readonly databaseReadUrl: string | undefined;
  /** At most so many connections of all processes of this machine to it. */
  readonly databasePool: number;
  /** How many processes serve together on this machine. */
  readonly workers: number;
}

/** The variables of all this, as they were read. */
interface DatabaseVariables {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly DATABASE_READ_URL?: string | undefined;
  readonly DATABASE_POOL?: number | undefined;
  readonly WORKERS?: number | undefined;
}

/** One unit of work may hold one while another one of the same request needs its own. */
const leastConnections = 2;

/** What the variables say, and what is usual where they say nothing. */
export function databaseIn({
  WORKERS: workers = 1,
  DATABASE_POOL: pool = Math.max(20, leastConnections * workers),
  ...given
}: DatabaseVariables): DatabaseConfig {
  return {
    workers,
    databaseUrl: given.DATABASE_URL,
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
    databaseReadUrl: given.DATABASE_READ_URL,
    databasePool: pool,
  };
}

/** What does not go together. */
export const databaseMistakes = (config: DatabaseConfig): ConfigMistake[] => [
  ...urlMistakes(config),
  ...poolMistakes(config),
];

const urlMistakes = ({ databaseUrl, databaseDirectUrl, databaseReadUrl }: DatabaseConfig): ConfigMistake[] =>
  Object.entries({ DATABASE_DIRECT_URL: databaseDirectUrl, DATABASE_READ_URL: databaseReadUrl })
    .filter(([, url]) => databaseUrl === undefined && url !== undefined)
    .map(([variable]) => ({ variable, problem: 'needs DATABASE_URL, which is not set' }));

const poolMistakes = ({ databasePool, workers }: DatabaseConfig): ConfigMistake[] =>
  databasePool < leastConnections * workers
    ? [
        {
          variable: 'DATABASE_POOL',
          problem: `"${databasePool}" is too few for ${workers} processes (WORKERS), which need ${leastConnections} each`,
        },
      ]
    : [];

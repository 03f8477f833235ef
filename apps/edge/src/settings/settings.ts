import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import * as value from './values.ts';

const schema = z.object({
  SERVICE_URL: value.serviceUrl.optional().refine((given) => given !== undefined, 'is required'),
  EDGE_TOKEN: value.token.optional(),
  STATE_DIR: value.path.default('.data/edge'),
  HOST: value.host.default('127.0.0.1'),
  PORT: value.port.default(3080),
  EDGE_TLS_PORT: value.port.optional(),
  PRIVATE_HOST: value.host.default('127.0.0.1'),
  PRIVATE_PORT: value.port.default(3081),
  TRUSTED_PROXIES: value.networks.default([]),
  PROXY_PROTOCOL: value.choice('on', 'off').default('off'),
  COUNTRY_DB: value.path.optional(),
  ASN_DB: value.path.optional(),
  VARNISH_SOCKET: value.choice('off').optional(),
  EDGE_STALE_AFTER: value.secondsOrNever.default('never'),
  ORIGIN_NETWORKS: value.networksOrOff.default([]),
  LOG_LEVEL: value.choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  LOG_CLIENTS: value.choice('on', 'off').default('off'),
  WORKERS: value.processes.default(1),
  NODE_ENV: z.string().optional(),
});
type Variables = z.output<typeof schema>;

/** Reads the environment; empty variables count as unset. The error has one line for each mistake, without secrets. */
export function readSettings(env: NodeJS.ProcessEnv): Result<Settings, readonly string[]> {
  const names = Object.keys(schema.shape);
  const parsed = schema.safeParse(Object.fromEntries(names.map((name) => [name, env[name] || undefined])));
  if (!parsed.success) {
    return err(
      parsed.error.issues.map(({ path, message }) => {
        const variable = String(path[0]);
        return line(variable, env[variable], message);
      }),
    );
  }
  const settings = settingsIn(parsed.data);
  const isProduction = parsed.data.NODE_ENV === 'production';
  const problems = [
    ...(isProduction ? [...serviceProblems(settings), ...ownTlsProblems(settings)] : []),
    ...portProblems(settings),
    ...fileProblems(settings),
  ];
  return problems.length === 0 ? ok(settings) : err(problems);
}

const settingsIn = (given: Variables) => ({
  /** Without a trailing slash. */
  serviceUrl: given.SERVICE_URL ?? '',
  /** Needed until the edge has a key. */
  token: given.EDGE_TOKEN,
  /** Absolute path. */
  stateDir: resolve(given.STATE_DIR),
  host: given.HOST,
  /** 0 means any free port. */
  port: given.PORT,
  /** Where HTTPS with a certificate of its own is answered; undefined: nowhere. */
  tlsPort: given.EDGE_TLS_PORT,
  privateHost: given.PRIVATE_HOST,
  privatePort: given.PRIVATE_PORT,
  /** Addresses and CIDR networks whose forwarding headers are trusted. */
  trustedProxies: given.TRUSTED_PROXIES,
  /** Whether every connection begins with a PROXY protocol header. */
  proxyProtocol: given.PROXY_PROTOCOL === 'on',
  /** Absolute path of an `.mmdb` file; undefined: countries are unknown. */
  countryDb: given.COUNTRY_DB && resolve(given.COUNTRY_DB),
  /** Absolute path of an `.mmdb` file; undefined: numbers of autonomous systems are unknown. */
  asnDb: given.ASN_DB && resolve(given.ASN_DB),
  /** Undefined: never. Without effect as long as an edge stores no responses. */
  staleAfterSeconds: given.EDGE_STALE_AFTER === 'never' ? undefined : given.EDGE_STALE_AFTER,
  /** Networks in which origins may lie although they are not public. */
  originNetworks: given.ORIGIN_NETWORKS,
  logLevel: given.LOG_LEVEL,
  /** Whether lines about requests say who asked. */
  logsClients: given.LOG_CLIENTS === 'on',
  /** Processes that answer requests. */
  workers: given.WORKERS,
});

/** The settings of the program, from the environment. */
export type Settings = Readonly<ReturnType<typeof settingsIn>>;

/** A mistake as one line; values that may contain a secret are not shown. */
function line(variable: string, given: string | undefined, problem: string): string {
  const shown = given === undefined || given === '' ? [] : [shownValue(variable, given)];
  return [`${variable}:`, ...shown, problem].join(' ');
}

function shownValue(variable: string, given: string): string {
  if (variable === 'EDGE_TOKEN' || given.includes('@')) return 'the value';
  return JSON.stringify(given.length > 80 ? `${given.slice(0, 80)}…` : given);
}

/** The key of the edge, hashes of passwords and all documents would cross the network for everybody to read and change. */
function serviceProblems({ serviceUrl }: Settings): readonly string[] {
  const { protocol, hostname } = new URL(serviceUrl);
  return protocol === 'https:' || isLoopback(hostname)
    ? []
    : [line('SERVICE_URL', serviceUrl, 'must begin with https:// in production, except on the machine itself')];
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** Nobody trusts the certificate. */
const ownTlsProblems = ({ tlsPort }: Settings): readonly string[] =>
  tlsPort === undefined
    ? []
    : [
        line(
          'EDGE_TLS_PORT',
          String(tlsPort),
          'is for development only: in production, a server in front has certificates',
        ),
      ];

const portProblems = ({ host, port, privateHost, privatePort }: Settings): readonly string[] =>
  privatePort !== 0 && privatePort === port && privateHost === host
    ? [line('PRIVATE_PORT', String(privatePort), 'is the port of the edge itself')]
    : [];

const fileProblems = ({ countryDb, asnDb }: Settings): readonly string[] =>
  Object.entries({ COUNTRY_DB: countryDb, ASN_DB: asnDb }).flatMap(([variable, file]) => {
    const problem = file === undefined ? undefined : fileProblem(file);
    return problem === undefined ? [] : [line(variable, file, problem)];
  });

function fileProblem(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile() ? undefined : 'is not a file';
  } catch {
    return 'cannot be read';
  }
}

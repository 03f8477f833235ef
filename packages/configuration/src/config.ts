import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  defaultSoakSeconds,
  type HostNameRules,
  type InstallationRetention,
  type OriginNetworks,
  type UsageLimits,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { ConfigError } from './config-error.ts';
import type { MailSender, RateLimit } from './config-values.ts';
import * as value from './config-values.ts';
import { type DatabaseConfig, databaseErrors, databaseIn } from './database-variables.ts';
import { ignoredEnvFile } from './env-file.ts';
import { type MailPages, mailPagesIn, mailPageVariables } from './mail-pages.ts';
import { misspeltVariables } from './misspelt-variables.ts';
import {
  type RateLimitName,
  rateLimitNames,
  rateLimitSchemas,
  rateLimitsOf,
  rateLimitVariable,
} from './rate-limit-variables.ts';
import { retentionIn, retentionVariables } from './retention-variables.ts';
import { tracesVariables, wantsTraces } from './traces-variables.ts';
import { usageLimitSchemas, usageLimitsIn } from './usage-limit-variables.ts';

export type { MailSender, RateLimit } from './config-values.ts';
export type { RateLimitName } from './rate-limit-variables.ts';

/** The error as one line for people. */
export const describeConfigError = ({ variable, problem }: ConfigError): string => `${variable}: ${problem}`;

/** A failure to start that a person can fix; each line is printed as it is, without a stack trace. */
export class StartupError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
    this.lines = lines;
  }
}

/** The configuration from the environment. Defaults suit development. */
export interface Config extends DatabaseConfig, MailPages {
  readonly environment: 'development' | 'test' | 'production';
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Base of links, issuer and absolute URLs, without a trailing slash. */
  readonly publicBaseUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined: mails are printed and saved in `dataDir`. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: MailSender;
  readonly passwordBlocklistFile: string | undefined;
  readonly keysFile: string;
  /** The providers that people can sign in by. Undefined: none. */
  readonly providersFile: string | undefined;
  /** Addresses and CIDR networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Origins besides that of `publicBaseUrl` whose pages may use passkeys. */
  readonly passkeyOrigins: readonly string[];
  /** Where to report vulnerabilities: URIs for security.txt. Empty: there is none. */
  readonly securityContacts: readonly string[];
  /** Already multiplied by `rateLimitScale`. */
  readonly rateLimits: Readonly<Record<RateLimitName, RateLimit>>;
  /** Limits for organizations without their own. */
  readonly usageLimits: UsageLimits;
  /** 1 except in load tests; also scales the limit on mails per address. */
  readonly rateLimitScale: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Addresses to ask, with ports if they differ from 53. Empty: the system's. */
  readonly dnsServers: readonly string[];
  /** How long canary edges serve a change before the others are offered it. */
  readonly edgeSoakSeconds: number;
  /** The port of an edge beside the service. Undefined: there is none. */
  readonly edgePort: number | undefined;
  /** The port on which that edge answers HTTPS. Undefined: none. */
  readonly edgeTlsPort: number | undefined;
  /** Which host names zones can have. */
  readonly hostNameRules: HostNameRules;
  /** Networks in which origin servers may lie although they are not public. */
  readonly originNetworks: OriginNetworks;
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined;
  /** Retention for organizations without their own. */
  readonly retention: InstallationRetention;
  /** Whether statements carry the request id to the database; always the case with traces. */
  readonly databaseRequestIds: boolean;
  /** Whether traces are exported; the OpenTelemetry libraries read the details from the environment themselves. */
  readonly traces: boolean;
}

/** The same in every environment. */
const optionalVariables = {
  EDGE_SOAK_SECONDS: value.soakSeconds.default(defaultSoakSeconds),
  ...retentionVariables,
  DNS_SERVERS: value.dnsServers.default([]),
  HOSTNAME_VERIFICATION: value.choice('dns', 'off').optional(),
  ORIGIN_NETWORKS: value.originNetworks.default([]),
};

const forLoadTests = 'is for load tests only and not allowed in production';
const edgesStartAlone = 'is for development only: in production, an edge is started on its own';

/** One schema for all environments; production only adds requirements. */
const schemaFor = (production: boolean) => {
  const required = <S extends z.ZodType>(schema: S) =>
    schema.optional().refine((given) => given !== undefined || !production, 'is required in production');
  const encrypted = <S extends z.ZodType<string>>(schema: S) =>
    schema.refine(
      (given) => !production || value.isPrivateLink(given),
      'must use https in production unless the host is a loopback address',
    );
  return z.strictObject({
    NODE_ENV: value.choice('development', 'test', 'production').default('development'),
    HOST: value.host.default('127.0.0.1'),
    PORT: value.port.default(3000),
    PUBLIC_BASE_URL: required(encrypted(value.baseUrl)),
    DATABASE_URL: required(value.databaseUrl),
    DATABASE_DIRECT_URL: value.databaseUrl.optional(),
    DATABASE_POOL: value.connections.optional(),
    DATABASE_POOLER: value.choice('off', 'on', 'prepared').default('off'),
    DATABASE_REQUEST_IDS: value.choice('on', 'off').optional(),
    DATA_DIR: value.path.default('.data'),
    SMTP_URL: required(value.smtpUrl),
    MAIL_FROM: required(value.mailSender),
    ...mailPageVariables(encrypted(value.pageUrl).optional()),
    PASSWORD_BLOCKLIST_FILE: value.path.optional(),
    KEYS_FILE: value.path.optional(),
    PROVIDERS_FILE: value.path.optional(),
    TRUSTED_PROXIES: value.networks.default([]),
    CORS_ORIGINS: value.origins.default([]),
    PASSKEY_ORIGINS: value.origins.default([]),
    SECURITY_CONTACT: value.contacts.default([]),
    RATE_LIMIT_SCALE: value.scale.refine(() => !production, forLoadTests).default(1),
    EDGE_PORT: value.portOrOff.refine((given) => given === 'off' || !production, edgesStartAlone).optional(),
    EDGE_TLS_PORT: value.port.refine(() => !production, edgesStartAlone).optional(),
    LOG_LEVEL: value.choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
    METRICS_PORT: value.port.optional(),
    WORKERS: value.processes.optional(),
    ...optionalVariables,
    ...tracesVariables,
    ...rateLimitSchemas,
    ...usageLimitSchemas,
  });
};

type Schema = ReturnType<typeof schemaFor>;
type Variables = z.output<Schema>;

/** Reads the environment; empty variables count as unset. Reports all errors at once. */
export function loadConfig(env: NodeJS.ProcessEnv): Result<Config, ConfigError[]> {
  const schema = schemaFor(env['NODE_ENV'] === 'production');
  const parsed = schema.safeParse(variablesOf(env, schema));
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => errorsIn(issue, env)));
  const config = assemble(parsed.data);
  const errors = [...databaseErrors(config), ...portErrors(config), ...fileErrors(config)];
  return errors.length === 0 ? ok(config) : err(errors);
}

/** Warnings about a valid configuration, one line each, without secrets. */
export const warningsOf = ({ environment, databaseUrl, databaseDirectUrl }: Config): string[] =>
  Object.entries({
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
  })
    .filter(([, url]) => environment === 'production' && url !== undefined && !value.isPrivateDatabase(url))
    .map(([variable]) => `${variable}: the connection to the database is not encrypted; add sslmode=verify-full`);

/** Warnings about variables that have no effect, one line each, without their values: misspelt ones, and those in a file `.env`. */
export const unknownVariables = (env: NodeJS.ProcessEnv, envFile = '.env'): string[] => {
  const known = Object.keys(schemaFor(false).shape);
  return [...misspeltVariables(env, known), ...ignoredEnvFile(env, known, envFile)];
};

/** Prefixes reserved for our variables, with the known ones, so that misspelt variables are detected. */
const families = [
  { prefix: 'RATE_LIMIT_', what: 'rate limit', known: [...rateLimitNames.map(rateLimitVariable), 'RATE_LIMIT_SCALE'] },
  { prefix: 'LIMIT_', what: 'limit', known: Object.keys(usageLimitSchemas) },
] as const;

const familyOf = (variable: string) => families.find(({ prefix }) => variable.startsWith(prefix));

/** Our variables in the environment. */
function variablesOf(env: NodeJS.ProcessEnv, schema: Schema): Record<string, string | undefined> {
  const names = Object.keys(schema.shape);
  const limits = Object.keys(env).filter((name) => familyOf(name) !== undefined && env[name] !== '');
  // Includes unset ones, because the schema ignores absent members.
  return Object.fromEntries([...names, ...limits].map((name) => [name, env[name] || undefined]));
}

function errorsIn(issue: z.core.$ZodIssue, env: NodeJS.ProcessEnv): ConfigError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((variable) => {
      const { what = '', known = [] } = familyOf(variable) ?? {};
      return { variable, problem: `is not a known ${what} variable (known: ${known.join(', ')})` };
    });
  }
  const variable = String(issue.path[0]);
  return [{ variable, problem: [...shown(variable, env[variable]), issue.message].join(' ') }];
}

/** The value as shown in errors: truncated, or hidden if it may contain a password. */
function shown(variable: string, given: string | undefined): string[] {
  if (given === undefined || given === '') return [];
  const isSecret =
    ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'SMTP_URL'].includes(variable) || /:\/\/.*@/.test(given.slice(0, 2_000));
  if (isSecret) return ['the value'];
  return [JSON.stringify(given.length > 80 ? `${given.slice(0, 80)}…` : given)];
}

const filesIn = (given: Variables) => ({
  dataDir: resolve(given.DATA_DIR),
  passwordBlocklistFile: given.PASSWORD_BLOCKLIST_FILE && resolve(given.PASSWORD_BLOCKLIST_FILE),
  keysFile: resolve(given.KEYS_FILE ?? `${given.DATA_DIR}/keys.json`),
  providersFile: given.PROVIDERS_FILE && resolve(given.PROVIDERS_FILE),
});

function assemble(given: Variables): Config {
  const publicBaseUrl = given.PUBLIC_BASE_URL ?? `http://localhost:${given.PORT}`;
  return {
    host: given.HOST,
    port: given.PORT,
    publicBaseUrl,
    environment: given.NODE_ENV,
    ...databaseIn(given),
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? { name: 'Zonewright', address: 'no-reply@localhost' },
    ...mailPagesIn(given, publicBaseUrl),
    ...filesIn(given),
    trustedProxies: given.TRUSTED_PROXIES,
    corsOrigins: given.CORS_ORIGINS,
    passkeyOrigins: given.PASSKEY_ORIGINS,
    securityContacts: given.SECURITY_CONTACT,
    rateLimits: rateLimitsOf(given),
    usageLimits: usageLimitsIn(given),
    rateLimitScale: given.RATE_LIMIT_SCALE,
    logLevel: given.LOG_LEVEL,
    dnsServers: given.DNS_SERVERS,
    hostNameRules: {
      own: new URL(publicBaseUrl).hostname,
      verification: given.HOSTNAME_VERIFICATION ?? (given.NODE_ENV === 'production' ? 'dns' : 'off'),
    },
    originNetworks: given.ORIGIN_NETWORKS,
    edgeSoakSeconds: given.EDGE_SOAK_SECONDS,
    edgePort: given.EDGE_PORT === 'off' ? undefined : given.EDGE_PORT,
    edgeTlsPort: given.EDGE_TLS_PORT,
    metricsPort: given.METRICS_PORT,
    retention: retentionIn(given),
    databaseRequestIds: given.DATABASE_REQUEST_IDS === 'on',
    traces: wantsTraces(given),
  };
}

const portErrors = ({ port, metricsPort }: Config): ConfigError[] =>
  metricsPort !== undefined && metricsPort !== 0 && metricsPort === port
    ? [{ variable: 'METRICS_PORT', problem: `"${metricsPort}" is the port of the API itself` }]
    : [];

function fileErrors({ passwordBlocklistFile: file }: Config): ConfigError[] {
  if (file === undefined) return [];
  try {
    accessSync(file, constants.R_OK);
    const isFolder = statSync(file).isDirectory();
    return isFolder ? [{ variable: 'PASSWORD_BLOCKLIST_FILE', problem: `${JSON.stringify(file)} is a folder` }] : [];
  } catch {
    return [{ variable: 'PASSWORD_BLOCKLIST_FILE', problem: `${JSON.stringify(file)} cannot be read` }];
  }
}

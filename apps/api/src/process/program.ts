import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Config,
  describeConfigError,
  listenError,
  loadConfig,
  makeFolder,
  openKeys,
  type ProviderEntry,
  readProviders,
  StartupError,
  unknownVariables,
  version,
  warningsOf,
} from '@zonewright/configuration';
import getPort from 'get-port';
import type { Logger } from 'pino';
import { openLog, openOutput } from '../observability/log.ts';
import { terminalLog } from '../observability/terminal-log.ts';
import { assignedSlot } from '../process-slot.ts';
import { joinService, type RunningService, type StartOptions, startService } from './service.ts';
import { handleExits, type Shutdown } from './shutdown.ts';
import { startBanner } from './start-banner.ts';
import { type LocalEdge, type LocalEdgeOptions, startLocalEdge } from './start-local-edge.ts';
import { startProcesses } from './start-processes.ts';

/** What the parts of a start share. */
interface Process {
  readonly log: Logger;
  /** Writes a line that another program has logged. */
  readonly writeLine: (line: string) => void;
  readonly lostLogLines: () => number;
  readonly shutdown: Shutdown;
}

/** Runs the service until a signal or a failure ends the process. */
export async function run(): Promise<void> {
  // The reader of our output may exit first (`pnpm start | head`); keep serving.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const opened = await openedLog();
  const { log } = opened;
  const shutdown = handleExits((message, error) => log.fatal({ err: error }, message), {
    ignoresRepeatedSignals: cluster.isWorker,
  });
  try {
    await start({ ...opened, shutdown });
  } catch (error) {
    // A startup interrupted by a signal fails in ways that are not worth reporting.
    if (shutdown.isUnderWay()) return;
    reportStartFailure(error, log);
    shutdown.begin(1);
  }
}

/** The log of the process: readable lines in a developer's terminal, JSON elsewhere. Production installations lack the formatting library. */
async function openedLog(): Promise<Omit<Process, 'shutdown'>> {
  let lostLogLines = 0;
  const onLost = () => {
    lostLogLines += 1;
  };
  const isDevelopment = process.stdout.isTTY && process.env['NODE_ENV'] !== 'production';
  const output = openOutput(1, { onLost, isImmediate: isDevelopment });
  process.once('exit', () => output.flushSync());
  const stream = isDevelopment ? await terminalLog(output).catch(() => output) : output;
  const writeLine = (line: string) => stream.write(`${line}\n`);
  return { log: openLog(stream, onLost), writeLine, lostLogLines: () => lostLogLines };
}

/** Opens everything in order. Each part is registered for closing before it is awaited. */
async function start(shared: Process): Promise<void> {
  const { log, lostLogLines, shutdown } = shared;
  const config = await readConfig();
  log.level = config.logLevel;
  if (cluster.isPrimary) for (const line of [...warningsOf(config), ...unknownVariables(process.env)]) log.warn(line);
  const isProduction = config.environment === 'production';
  makeDataFolder(config);
  const keys = openKeys(config.keysFile, { createIfMissing: !isProduction }).match((opened) => opened, refuse);
  const providers = readProviders(config.providersFile, { production: isProduction }).match((read) => read, refuse);
  const databaseUrl = config.databaseUrl ?? (await embeddedDatabase(config, shared));
  if (shutdown.isUnderWay()) return;
  let isServing = false;
  shutdown.onClose(async () => {
    if (isServing) log.info('stopped');
  });
  const starting = started({ config, keys, providers, databaseUrl, log, lostLogLines });
  shutdown.onClose(() =>
    starting.then(
      (service) => service.close(),
      () => undefined,
    ),
  );
  const { url } = await starting;
  if (shutdown.isUnderWay() || cluster.isWorker) return;
  isServing = true;
  warnOfProviders(providers, log).catch((err: unknown) => log.warn({ err }, 'the providers could not be checked'));
  if (isProduction) return log.info({ url, host: config.host, port: config.port, version }, 'serving');
  const edge = await edgeBeside({ config, keys, databaseUrl }, shared);
  process.stdout.write(startBanner(config, { api: url, edge: edge?.url }));
}

/** Names the providers that nobody can sign in by at the moment. They are asked again when somebody does. */
async function warnOfProviders(providers: readonly ProviderEntry[], log: Logger): Promise<void> {
  if (providers.length === 0) return;
  const { providerProblems } = await import('@zonewright/federation');
  // Where browsers come back to is part of no question that is asked here.
  for (const line of await providerProblems(providers, { callbackUrl: () => 'http://localhost/' })) log.warn(line);
}

/** Starts an edge if one is wanted. */
async function edgeBeside(
  service: Pick<LocalEdgeOptions, 'config' | 'keys' | 'databaseUrl'>,
  { log, writeLine, shutdown }: Process,
): Promise<LocalEdge | undefined> {
  const { edgePort: port } = service.config;
  if (port === undefined) return undefined;
  const starting = startLocalEdge({ ...service, port, log, writeLine });
  shutdown.onClose(() => starting.then((edge) => edge?.stop()));
  return starting;
}

/** Serves from this process, or forks several that run this function too. */
function started(options: StartOptions): Promise<RunningService> {
  if (options.config.workers > 1) return startProcesses(options);
  return cluster.isWorker ? joinService({ ...options, slot: assignedSlot(process.env) }) : startService(options);
}

/** Chooses the port first when it is 0, because the base URL contains it. */
async function readConfig(): Promise<Config> {
  const config = loadConfig(process.env);
  if (config.isErr() || config.value.port !== 0) return config.match((read) => read, refuse);
  const { host } = config.value;
  const port = await getPort({ host }).catch((cause: Error) => {
    throw listenError(cause, { host, port: 0, variable: 'PORT' });
  });
  return loadConfig({ ...process.env, PORT: String(port) }).match((read) => read, refuse);
}

/** Creates the folder for the embedded database and saved mails, if either is used. */
function makeDataFolder({ dataDir, databaseUrl, smtpUrl }: Config): void {
  if (databaseUrl !== undefined && smtpUrl !== undefined) return;
  const made = makeFolder(dataDir);
  if (made.isErr())
    refuse([{ variable: 'DATA_DIR', problem: `${JSON.stringify(dataDir)} cannot be written (${made.error})` }]);
}

async function embeddedDatabase({ dataDir }: Config, { log, shutdown }: Process): Promise<string> {
  if (!existsSync(join(dataDir, 'postgres'))) process.stdout.write(`\nCreating a database in ${dataDir}.\n`);
  // Imported on demand: installations with DATABASE_URL do not need the package.
  const starting = import('@zonewright/dev-postgres')
    .catch((cause: Error) => {
      throw new StartupError(['DATABASE_URL: is required unless the development server is installed'], { cause });
    })
    .then((server) => server.startEmbeddedPostgres({ dataDir, log: (line) => log.debug({ postgres: line }) }));
  shutdown.onClose(() =>
    starting.then(
      (server) => server.stop(),
      () => undefined,
    ),
  );
  const server = await starting.catch((cause: Error) => {
    throw cause instanceof StartupError ? cause : new StartupError([`DATA_DIR: ${cause.message}`], { cause });
  });
  return server.url;
}

function refuse(errors: readonly Parameters<typeof describeConfigError>[0][]): never {
  throw new StartupError(errors.map(describeConfigError));
}

/** Configuration errors are reported in one line each; only bugs deserve a stack trace. */
function reportStartFailure(error: unknown, log: Logger): void {
  if (error instanceof StartupError) process.stderr.write(error.lines.map((line) => `${line}\n`).join(''));
  else log.fatal({ err: error }, 'startup failed');
}

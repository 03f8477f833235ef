import { fork } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Config, StartupError } from '@zonewright/configuration';
import { administration, EdgeName } from '@zonewright/core';
import { nodeRandomness, sha256TokenHashes } from '@zonewright/crypto';
import { edgeProgram } from '../edges/edge-program.ts';
import { type Child, childOf } from './child.ts';
import type { StartOptions } from './service.ts';
import { postgresStorage } from './storage.ts';
import { SupervisedProcess } from './supervised-process.ts';

/** An edge that answers requests beside a service in development. */
export interface LocalEdge {
  readonly url: string;
  /** Resolves once it has ended. */
  stop(): Promise<void>;
}

/** What the edge gets from the service. */
export interface LocalEdgeOptions extends Pick<StartOptions, 'keys' | 'databaseUrl' | 'log'> {
  readonly config: Config;
  /** The port of the edge. */
  readonly port: number;
  /** Writes a line of its log. */
  readonly writeLine: (line: string) => void;
}

const draft = { name: EdgeName.parse('local'), tags: [], organizations: [], stage: 'main' } as const;
const operator = { network: undefined, userAgent: 'the start of the service' };

/**
 * Starts the program of an edge and replaces it whenever it ends. It is registered as `local`, and its state is in the
 * data folder. Undefined: it cannot start, which is reported in a line and keeps the service from nothing.
 */
export async function startLocalEdge(options: LocalEdgeOptions): Promise<LocalEdge | undefined> {
  try {
    return await started(options);
  } catch (failure) {
    if (!(failure instanceof StartupError)) options.log.error({ err: failure }, 'the edge cannot be started');
    else for (const line of failure.lines) process.stderr.write(`${line}\n`);
    return undefined;
  }
}

async function started(options: LocalEdgeOptions): Promise<LocalEdge> {
  const { config, port, log, writeLine } = options;
  if (!existsSync(edgeProgram)) throw new StartupError(['EDGE_PORT: the program of the edge is not built']);
  const stateDir = join(config.dataDir, 'local-edge');
  let token = await enrolmentToken(options, stateDir);
  const environment = { ...process.env, ...variablesOf(config, port), STATE_DIR: stateDir };
  const edge = new SupervisedProcess({
    fork: () => edgeProcess({ ...environment, EDGE_TOKEN: token }, writeLine),
    variable: 'EDGE_PORT',
    name: 'the edge',
    log,
    onReplace: async () => {
      // If the database is away, it starts with what it has.
      token = await enrolmentToken(options, stateDir).catch(() => undefined);
    },
  });
  await edge.start();
  edge.supervise();
  const tls = config.edgeTlsPort === undefined ? '' : `, https://localhost:${config.edgeTlsPort}`;
  return { url: `http://localhost:${port}${tls}`, stop: async () => void (await edge.stop()) };
}

/** The token with which the edge enrols; undefined if the key in its folder is good. A folder without one is emptied. */
async function enrolmentToken(
  { config, keys, databaseUrl, log }: LocalEdgeOptions,
  stateDir: string,
): Promise<string | undefined> {
  const storage = postgresStorage({ config: { ...config, databasePool: 2 }, keys, databaseUrl, log });
  try {
    const { renewEdge } = administration({
      unitOfWork: storage.unitOfWork,
      randomness: nodeRandomness(),
      tokenHashes: sha256TokenHashes(),
    });
    const renewed = await renewEdge(operator, draft, keyIn(stateDir));
    if (renewed.isErr()) throw new StartupError([`EDGE_PORT: the edge cannot be registered (${renewed.error.type})`]);
    const token = renewed.value;
    if (token !== undefined) rmSync(stateDir, { recursive: true, force: true });
    return token;
  } finally {
    await storage.close();
  }
}

function keyIn(stateDir: string): string | undefined {
  const file = join(stateDir, 'key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Variables whose names mean something else to the service. The edge gets the others, such as its databases, as they are. */
const variablesOf = ({ host, port: servicePort, logLevel, edgeTlsPort }: Config, port: number): NodeJS.ProcessEnv => ({
  SERVICE_URL: `http://${reachable(host)}:${servicePort}`,
  HOST: host,
  PORT: String(port),
  EDGE_TLS_PORT: edgeTlsPort === undefined ? undefined : String(edgeTlsPort),
  PRIVATE_HOST: '127.0.0.1',
  PRIVATE_PORT: '0',
  TRUSTED_PROXIES: undefined,
  LOG_LEVEL: logLevel,
  WORKERS: '1',
});

/** The host of a URL by which this machine reaches a server. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** It ends with this process, however that ends, because its channel closes. It sends a message when it listens. */
function edgeProcess(env: NodeJS.ProcessEnv, writeLine: (line: string) => void): Child {
  const child = fork(fileURLToPath(edgeProgram), { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  if (child.stdout !== null) createInterface(child.stdout).on('line', writeLine);
  if (child.stderr !== null)
    createInterface(child.stderr).on('line', (line) => process.stderr.write(`${named(line)}\n`));
  return childOf(child, { of: child, listening: 'message' });
}

/** What the edge says about its variables, for people who started the service. */
const named = (line: string): string => line.replace(/^PORT: (.*)$/, 'EDGE_PORT: $1; choose another one, or off');

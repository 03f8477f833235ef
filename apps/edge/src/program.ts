import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { openFolder, startEdge } from './edge.ts';
import { enrol } from './enrolment.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { StartFailure } from './start-failure.ts';
import { version } from './version.ts';
import { startWorker } from './worker.ts';

const usage = `zonewright-edge          answers requests by the configurations of a service
zonewright-edge enrol    exchanges EDGE_TOKEN for a key in STATE_DIR

The environment says the rest: see docs/edge.md.
`;

/** Milliseconds after which a hanging shutdown is aborted. */
const shutdownMilliseconds = 20_000;

/** Runs the program until its end; the exit code is that of the process. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // The reader of our output may exit first; keep serving.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const [command = 'run', ...others] = args;
  if (others.length > 0 || !['run', 'enrol', '--help', '--version'].includes(command)) return refuse(usage);
  if (command === '--help') return void process.stdout.write(usage);
  if (command === '--version') return void process.stdout.write(`${version}\n`);
  const settings = readSettings(env);
  if (settings.isErr()) return refuse(settings.error.map((line) => `${line}\n`).join(''));
  await (command === 'enrol' ? enrolNow(settings.value) : serve(settings.value));
}

function refuse(text: string): void {
  process.stderr.write(text);
  process.exitCode = 1;
}

async function enrolNow(settings: Settings): Promise<void> {
  try {
    const folder = await openFolder(settings.stateDir);
    process.stdout.write(`Enrolled as ${await enrol(settings, folder)}.\n`);
    folder.close();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    refuse(`${error.message}\n`);
  }
}

/** Serves until a signal or a failure ends the process. */
async function serve(settings: Settings): Promise<void> {
  // A reader that is slow delays no request: lines beyond this buffer are dropped.
  const output = pino.destination({ dest: 1, sync: false, maxLength: 2 ** 20 });
  output.on('error', () => undefined);
  process.once('exit', () => output.flushSync());
  const log = pino({ name: 'zonewright-edge', level: settings.logLevel }, output);
  const writeLines = (lines: string) => void output.write(lines);
  const end = endsWith(log);
  try {
    if (cluster.isWorker) return end.closes(startWorker({ settings, log, writeLines }));
    // A parent process may have opened a channel: it learns when requests are served, and closing it ends the edge.
    process.once('disconnect', end.bySignal);
    const edge = await startEdge({ settings, log, writeLines, onFailure: end.withFailure });
    end.closes(edge);
    process.send?.({ port: edge.port });
  } catch (error) {
    end.withFailure(error);
  }
}

/** The ways in which the process ends: a signal, or a failure that is reported once. */
function endsWith(log: Logger) {
  let edge: { close(): Promise<void> } | undefined;
  let isEnding = false;
  const begin = (code: 0 | 1) => {
    if (isEnding) return;
    isEnding = true;
    process.exitCode = code;
    setTimeout(() => process.exit(1), shutdownMilliseconds).unref();
    void Promise.resolve(edge?.close()).then(
      () => {
        if (edge !== undefined && cluster.isPrimary) log.info('stopped');
        process.exit();
      },
      (error: unknown) => {
        log.fatal({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  const withFailure = (error: unknown) => {
    if (error instanceof StartFailure) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'the edge failed');
    begin(1);
  };
  const bySignal = () => begin(0);
  process.on('SIGTERM', bySignal).on('SIGINT', bySignal);
  process.on('uncaughtException', withFailure).on('unhandledRejection', withFailure);
  return {
    /** What is closed in the end. */
    closes: (running: { close(): Promise<void> }) => {
      edge = running;
    },
    bySignal,
    withFailure,
  };
}

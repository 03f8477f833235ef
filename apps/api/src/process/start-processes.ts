import cluster, { type Worker } from 'node:cluster';
import type { Config } from '@zonewright/configuration';
import { defaultConcurrency } from '@zonewright/crypto';
import type { MeasuredProcesses } from '../observability/metrics.ts';
import { type ProcessSlot, shareOf, slotVariable } from '../process-slot.ts';
import { type Child, childOf } from './child.ts';
import { migrated } from './database-start.ts';
import type { RunningService, StartOptions } from './service.ts';
import { SupervisedProcess } from './supervised-process.ts';

/**
 * Migrates the database and serves from several processes that share the port and the machine's resources. Resolves
 * once the first one listens; it starts alone, so that an error is reported once. Rejects with `StartupError` for
 * errors that the operator can fix.
 */
export async function startProcesses(options: StartOptions): Promise<RunningService> {
  const { config, databaseUrl, log } = options;
  await migrated(options);
  let replacements = 0;
  const onReplace = () => {
    replacements += 1;
  };
  const processes = Array.from({ length: config.workers }, (_, index) => {
    const environment = environmentOf({ config, databaseUrl }, { index, of: config.workers });
    const fork = () => servingProcess(cluster.fork(environment));
    return new SupervisedProcess({ fork, variable: 'WORKERS', name: 'serving process', log, onReplace });
  });
  const serving = () => processes.flatMap((each) => each.serving?.worker ?? []);
  const metrics = await servedMetrics(config, { serving, replacements: () => replacements });
  const close = async () => {
    await stopAll(processes);
    await metrics?.close();
  };
  try {
    await processes[0]?.start();
  } catch (failure) {
    await close();
    throw failure;
  }
  for (const each of processes) each.supervise();
  return { url: config.publicBaseUrl, close };
}

interface ServingProcess extends Child {
  readonly worker: Worker;
}

const servingProcess = (worker: Worker): ServingProcess => ({
  ...childOf(worker.process, { of: worker, listening: 'listening' }),
  worker,
});

/** Environment variables that give a worker its share of the machine. */
function environmentOf(
  { config, databaseUrl }: Pick<StartOptions, 'config' | 'databaseUrl'>,
  slot: ProcessSlot,
): Record<string, string> {
  const hashes = Math.max(1, shareOf(defaultConcurrency(), slot));
  return {
    ...slotVariable(slot),
    WORKERS: '1',
    PORT: String(config.port),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: String(shareOf(config.databasePool, slot)),
    // Leaves four threads of each process free for work other than hashing.
    UV_THREADPOOL_SIZE: String(hashes + 4),
  };
}

/** Loaded only when metrics are enabled. */
async function servedMetrics({ metricsPort, host }: Config, processes: MeasuredProcesses) {
  if (metricsPort === undefined) return undefined;
  const { serveClusterMetrics } = await import('../observability/metrics.ts');
  return serveClusterMetrics(processes, host, metricsPort);
}

async function stopAll(processes: readonly SupervisedProcess<ServingProcess>[]): Promise<void> {
  const ends = await Promise.all(processes.map((each) => each.stop()));
  if (ends.includes(false)) throw new Error('A serving process did not shut down cleanly.');
}

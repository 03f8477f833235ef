import cluster, { type Worker } from 'node:cluster';
import { createServer } from 'node:net';
import { Pauses, usualTiming } from './feed/timing.ts';
import { listen } from './listen.ts';
import { WorkerLink } from './processes/worker-link.ts';
import { type RoutedZone, ZoneTable } from './routing/zone-table.ts';
import type { ProcessMetrics, RequestServer, ServingOptions } from './serving.ts';
import { StartFailure } from './start-failure.ts';

/** Answers requests in several processes, which share the port. One that ends is replaced. */
export class WorkerServing implements RequestServer {
  readonly #options: ServingOptions;
  /** What each process has; documents are read by those. */
  readonly #zones = new Map<string, RoutedZone>();
  readonly #table = new ZoneTable(() => undefined);
  readonly #links = new Set<WorkerLink>();
  readonly #pauses = new Pauses(usualTiming);
  #isClosing = false;
  #port = 0;

  constructor(options: ServingOptions) {
    this.#options = options;
  }

  readonly zoneSink = {
    put: (zone: RoutedZone): void => {
      const { id, digest, hostnames } = zone;
      // Without the other members that it may have.
      const routed = { id, digest, hostnames };
      this.#zones.set(id, routed);
      this.#table.put(routed);
      for (const link of this.#links) link.tell({ type: 'put', zone: routed });
    },
    remove: (id: string): void => {
      this.#zones.delete(id);
      this.#table.remove(id);
      for (const link of this.#links) link.tell({ type: 'remove', id });
    },
    flushed: async (): Promise<void> => {
      await Promise.all([...this.#links].map((link) => link.ask('flush')));
    },
  };

  /** The first process starts alone, so that what is wrong is reported once. */
  async open(): Promise<number> {
    const { host, port: wanted } = this.#options.settings;
    // Chosen once: the port of a process that is replaced must stay the same.
    this.#port = wanted === 0 ? await freePort(host) : wanted;
    const port = await this.#first();
    for (let count = 1; count < this.#options.settings.workers; count += 1) this.#keep(this.#fork());
    return port;
  }

  answers(name: string): boolean {
    return this.#table.answers(name);
  }

  async metrics(): Promise<readonly ProcessMetrics[]> {
    const all = await Promise.all([...this.#links].map((link) => link.ask('measure')));
    // Replies to this question are metrics.
    return all.filter((each) => each !== undefined) as ProcessMetrics[];
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map(ended));
  }

  #first(): Promise<number> {
    return new Promise((resolve, reject) => {
      const worker = this.#fork((line) => reject(new StartFailure(line)));
      worker.once('listening', ({ port }) => {
        this.#keep(worker);
        resolve(port);
      });
      worker.once('exit', () => reject(new StartFailure('WORKERS: a process ended at its start')));
    });
  }

  #fork(onFailed: (line: string) => void = (line) => this.#options.log.error(line)): Worker {
    const worker = cluster.fork({ PORT: String(this.#port) });
    const link: WorkerLink = new WorkerLink(worker, {
      onReady: () => {
        this.#links.add(link);
        link.tell({ type: 'begin', zones: [...this.#zones.values()] });
      },
      onLost: ({ zone }) => this.#options.onLost(zone),
      onFailed,
    });
    worker.once('exit', () => this.#links.delete(link));
    return worker;
  }

  /** Replaces the process when it ends. */
  #keep(worker: Worker): void {
    worker.once('listening', () => this.#pauses.reset());
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (this.#isClosing) return;
      this.#options.log.error({ code, signal }, 'a process that answers requests ended; it is replaced');
      setTimeout(() => {
        if (!this.#isClosing) this.#keep(this.#fork());
      }, this.#pauses.next()).unref();
    });
  }
}

/** Lets a process finish its requests; resolves once it has ended. */
const ended = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });

async function freePort(host: string): Promise<number> {
  const server = createServer();
  const port = await listen(server, { host, port: 0, variable: 'PORT' });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { version } from '@zonewright/configuration';
import type { HashingGate } from '@zonewright/crypto';
import type { GateStats } from '@zonewright/gate';
import type { OutboxStats, PoolStats } from '@zonewright/postgres-operations';
import { Counter, Gauge } from 'prom-client';

/** The measured part of the storage. */
export interface MeasuredStorage {
  pool(): PoolStats;
  /** Rejects while the database is unreachable. */
  outbox(): Promise<OutboxStats>;
  /** How many batches of the clean-up have failed since the start, by name. */
  failedCleanUps(): ReadonlyMap<string, number>;
}

/** The measured part of the hashing queue. */
export type MeasuredHashing = Pick<HashingGate, 'stats'>;

type GaugeDefinition = readonly [name: string, help: string, ...labels: string[]];

/** Every process of a machine reports the same value for these, so they are not summed. */
const shared: ReadonlySet<string> = new Set(['outbox_mails', 'outbox_oldest_seconds', 'build_info']);

/** A gauge whose values are collected when it is read. */
export const gaugeOf = (
  [name, help, ...labelNames]: GaugeDefinition,
  collect: (gauge: Gauge) => Promise<void> | void,
): Gauge =>
  new Gauge({
    name,
    help,
    labelNames,
    aggregator: shared.has(name) ? 'max' : 'sum',
    registers: [],
    collect() {
      return collect(this);
    },
  });

/** A counter whose totals are kept elsewhere: `collect` adds them to zero when it is read. */
export const counterOf = ([name, help, ...labelNames]: GaugeDefinition, collect: (counter: Counter) => void): Counter =>
  new Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      collect(this);
    },
  });

/** The version as a label, with the value 1, which is how Prometheus joins it to other metrics. */
export const buildInfo = (): Gauge =>
  gaugeOf(['build_info', 'Version of the service', 'version'], (gauge) => gauge.set({ version }, 1));

/** Unlabelled gauges that query their stats once when collected together, and have no values without stats. */
function gaugesOf<Stats>(
  query: () => Promise<Stats | undefined>,
  gauges: readonly (readonly [named: GaugeDefinition, value: (stats: Stats) => number | null])[],
): readonly Gauge[] {
  let pending: Promise<Stats | undefined> | undefined;
  const forget = () => {
    pending = undefined;
  };
  const stats = () =>
    (pending ??= query()
      .catch(() => undefined)
      .finally(forget));
  return gauges.map(([named, valueOf]) =>
    gaugeOf(named, async (gauge) => {
      const current = await stats();
      const value = current === undefined ? null : valueOf(current);
      // Resetting the gauge would report 0, which is wrong.
      if (value === null) gauge.remove();
      else gauge.set(value);
    }),
  );
}

/** Gauges for the connection pool, known even while the database is unreachable, and for the outbox. */
export const storageGauges = (storage: MeasuredStorage): readonly Gauge[] => [
  gaugeOf(['database_connections', 'Connections of the pool', 'state'], (gauge) => {
    const { connections, idle } = storage.pool();
    gauge.set({ state: 'idle' }, idle);
    gauge.set({ state: 'busy' }, connections - idle);
  }),
  gaugeOf(['database_waiting', 'Units of work waiting for a connection'], (gauge) => gauge.set(storage.pool().waiting)),
  ...gaugesOf(
    () => storage.outbox(),
    [
      [['outbox_mails', 'Mails waiting, across all instances'], ({ mails }) => mails],
      [['outbox_oldest_seconds', 'Age of the oldest waiting mail'], (outbox) => outbox.oldestSeconds],
    ],
  ),
];

/** The measured part of the request threads. */
export interface MeasuredThreads {
  stats(): ThreadStats;
}

/** Numbers for the metrics. */
export interface ThreadStats extends GateStats {
  /** Threads lost since the start. */
  readonly lost: number;
}

/** A gauge of what runs behind a gate and what waits before it. */
const gateGauge = (name: string, help: string, gate: MeasuredHashing): Gauge =>
  gaugeOf([name, help, 'state'], (gauge) => {
    const { running, waiting } = gate.stats();
    gauge.set({ state: 'running' }, running);
    gauge.set({ state: 'waiting' }, waiting);
  });

/** Requests on request threads and waiting for one. */
export const threadsGauge = (threads: MeasuredThreads): Gauge =>
  gateGauge('request_threads', 'Requests on request threads and waiting for one', threads);

/** Failed batches of the clean-up, which are retried every minute. */
export const cleanUpFailures = (storage: MeasuredStorage): Counter =>
  counterOf(['clean_up_failures_total', 'Failed batches of the clean-up, by name', 'batch'], (counter) => {
    for (const [batch, count] of storage.failedCleanUps()) counter.inc({ batch }, count);
  });

/** Slow hashes running and queued. */
export const hashingGauge = (hashing: MeasuredHashing): Gauge =>
  gateGauge('password_hashes', 'Slow hashes running and waiting', hashing);

import type { HashingGate } from '@zonewright/crypto';
import type { StandbyFigures, StorageFigures } from '@zonewright/postgres';
import { Counter, Gauge } from 'prom-client';

/** Storage, as far as it is measured. */
export interface FiguresOfStorage {
  figures(): Promise<StorageFigures>;
  /** Where some of what is read comes from. */
  readonly standby?: { readonly figures: StandbyFigures } | undefined;
}

/** Where slow hashes wait, as far as it is measured. */
export type FiguresOfHashing = Pick<HashingGate, 'figures'>;

type Named = readonly [name: string, help: string, ...labels: string[]];

/** Of what all processes of a machine share, each reports the same: it is not added up. */
const shared: ReadonlySet<string> = new Set(['outbox_mails', 'outbox_oldest_seconds', 'standby_up']);

/** A gauge whose values are asked for when it is read. */
export const gaugeOf = ([name, help, ...labelNames]: Named, collect: (gauge: Gauge) => Promise<void> | void): Gauge =>
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

/** Connections and the outbox. While the database does not answer, they have no values. */
export function storageGauges(storage: FiguresOfStorage): readonly Gauge[] {
  // Gauges that are read together ask once.
  let reading: Promise<StorageFigures | undefined> | undefined;
  const forget = () => {
    reading = undefined;
  };
  const read = () =>
    (reading ??= storage
      .figures()
      .catch(() => undefined)
      .finally(forget));
  const of = (named: Named, set: (gauge: Gauge, figures: StorageFigures) => void) =>
    gaugeOf(named, async (gauge) => {
      const figures = await read();
      if (figures !== undefined) set(gauge, figures);
      else if (named.length > 2) gauge.reset();
      // Without labels, a gauge that is reset has the value 0, which would not be true.
      else gauge.remove();
    });
  return [
    of(['database_connections', 'Connections of the pool', 'state'], (gauge, { pool }) => {
      gauge.set({ state: 'idle' }, pool.idle);
      gauge.set({ state: 'busy' }, pool.connections - pool.idle);
    }),
    of(['database_waiting', 'Units of work that wait for a connection'], (gauge, { pool }) => gauge.set(pool.waiting)),
    of(['outbox_mails', 'Mails of all instances that wait'], (gauge, { outbox }) => gauge.set(outbox.mails)),
    of(['outbox_oldest_seconds', 'How long the first of these mails has waited'], (gauge, { outbox }) =>
      gauge.set(outbox.oldestSeconds),
    ),
  ];
}

/** Whether the standby answers, and how reads of it ended. */
export function standbyMetrics({ standby }: FiguresOfStorage): readonly (Gauge | Counter)[] {
  if (standby === undefined) return [];
  const reads = new Counter({
    name: 'standby_reads_total',
    help: 'Reads of the standby, by how they ended',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(standby.figures.reads)) this.inc({ outcome }, count);
    },
  });
  return [
    gaugeOf(['standby_up', 'Whether the standby answers: 1 or 0'], (gauge) => gauge.set(standby.figures.isUp ? 1 : 0)),
    reads,
  ];
}

/** Slow hashes under way and waiting. */
export const hashingGauge = (hashing: FiguresOfHashing): Gauge =>
  gaugeOf(['password_hashes', 'Slow hashes under way and waiting', 'state'], (gauge) => {
    const { running, waiting } = hashing.figures();
    gauge.set({ state: 'running' }, running);
    gauge.set({ state: 'waiting' }, waiting);
  });

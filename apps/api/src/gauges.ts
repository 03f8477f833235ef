import type { HashingGate } from '@zonewright/crypto';
import { Counter, Gauge } from 'prom-client';
import type { MeasuredStandby, Storage } from './storage.ts';

/** Storage, as far as it is measured. */
export type FiguresOfStorage = Pick<Storage, 'pool' | 'outbox' | 'standby'>;

/** Where slow hashes wait, as far as it is measured. */
export type FiguresOfHashing = Pick<HashingGate, 'figures'>;

type Named = readonly [name: string, help: string, ...labels: string[]];

/** Of what all processes of a machine share, each reports the same: it is not added up. */
const shared: ReadonlySet<string> = new Set([
  'outbox_mails',
  'outbox_oldest_seconds',
  'standby_up',
  'standby_lag_bytes',
  'standby_lag_seconds',
]);

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

/** Gauges without labels whose figures are asked for once when they are read together. Without figures they have no values. */
function gaugesOf<Figures>(
  ask: () => Promise<Figures | undefined>,
  gauges: readonly (readonly [named: Named, value: (figures: Figures) => number | null])[],
): readonly Gauge[] {
  let asking: Promise<Figures | undefined> | undefined;
  const forget = () => {
    asking = undefined;
  };
  const figures = () =>
    (asking ??= ask()
      .catch(() => undefined)
      .finally(forget));
  return gauges.map(([named, valueOf]) =>
    gaugeOf(named, async (gauge) => {
      const known = await figures();
      const value = known === undefined ? null : valueOf(known);
      // A gauge that is reset has the value 0, which would not be true.
      if (value === null) gauge.remove();
      else gauge.set(value);
    }),
  );
}

/** Connections, which are known whether the database answers or not, and the outbox. */
export const storageGauges = (storage: FiguresOfStorage): readonly Gauge[] => [
  gaugeOf(['database_connections', 'Connections of the pool', 'state'], (gauge) => {
    const { connections, idle } = storage.pool();
    gauge.set({ state: 'idle' }, idle);
    gauge.set({ state: 'busy' }, connections - idle);
  }),
  gaugeOf(['database_waiting', 'Units of work that wait for a connection'], (gauge) =>
    gauge.set(storage.pool().waiting),
  ),
  ...gaugesOf(
    () => storage.outbox(),
    [
      [['outbox_mails', 'Mails of all instances that wait'], ({ mails }) => mails],
      [['outbox_oldest_seconds', 'How long the first of these mails has waited'], (outbox) => outbox.oldestSeconds],
    ],
  ),
];

/** Whether the standby answers, how reads of it ended, and how far it lags while that is known. */
export const standbyMetrics = ({ standby }: FiguresOfStorage): readonly (Gauge | Counter)[] =>
  standby === undefined
    ? []
    : [
        gaugeOf(['standby_up', 'Whether the standby answers: 1 or 0'], (gauge) =>
          gauge.set(standby.figures.isUp ? 1 : 0),
        ),
        readsOf(standby),
        ...gaugesOf(
          () => standby.lag(),
          [
            [['standby_lag_bytes', 'Write-ahead log that the standby has not replayed'], ({ bytes }) => bytes],
            [
              ['standby_lag_seconds', 'Age of the last commit that the standby has replayed; 0 if it lacks nothing'],
              ({ seconds }) => seconds,
            ],
          ],
        ),
      ];

const readsOf = (standby: MeasuredStandby): Counter =>
  new Counter({
    name: 'standby_reads_total',
    help: 'Reads of the standby, by how they ended',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(standby.figures.reads)) this.inc({ outcome }, count);
    },
  });

/** Slow hashes under way and waiting. */
export const hashingGauge = (hashing: FiguresOfHashing): Gauge =>
  gaugeOf(['password_hashes', 'Slow hashes under way and waiting', 'state'], (gauge) => {
    const { running, waiting } = hashing.figures();
    gauge.set({ state: 'running' }, running);
    gauge.set({ state: 'waiting' }, waiting);
  });

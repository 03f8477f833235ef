import type { Comparison, CpuTime } from './rounds.ts';
import type { Work } from './works.ts';

/** A measurement other than throughput: the floor's and the service's value, and the limits. */
export interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly floor?: number | undefined;
  readonly service: number;
  /** Compared with `hold`, lower is better: the value by default, or its multiple of the floor's. */
  readonly judged?: number;
  readonly hold: number;
}

type Row = readonly string[];

const whole = (value: number): string => Math.round(value).toString();
const ratio = (value: number): string => value.toFixed(2);

const sum = ({ server, database }: CpuTime): number => server + database;
/** Processor time of server and database. */
const cpu = ({ server, database }: CpuTime): string => `${whole(server)} + ${whole(database)}`;

/** Throughput ratios: higher is better. */
export const comparisonTable = (found: readonly { readonly work: Work; readonly comparison: Comparison }[]): string =>
  table(
    ['work', 'floor req/s', 'ours req/s', 'ratio', 'floor CPU µs', 'ours CPU µs', 'by CPU', 'hold', ''],
    found.map(({ work, comparison }) => [
      work.name,
      whole(comparison.floorRate),
      whole(comparison.serviceRate),
      ratio(comparison.ratio),
      cpu(comparison.floorCpu),
      cpu(comparison.serviceCpu),
      ratio(sum(comparison.floorCpu) / sum(comparison.serviceCpu)),
      String(work.hold ?? ''),
      comparison.ratio < (work.hold ?? 0) ? 'below' : 'ok',
    ]),
  );

/** Other measurements: lower is better. */
export const measureTable = (measures: readonly Measure[]): string =>
  table(
    ['measure', 'floor', 'ours', 'judged', 'hold', ''],
    measures.map(({ name, unit, floor, service, judged = service, hold }) => [
      `${name} (${unit})`,
      floor === undefined ? '-' : measured(floor),
      measured(service),
      measured(judged),
      String(hold),
      judged > hold ? 'above' : 'ok',
    ]),
  );

const measured = (value: number): string => (value < 20 ? ratio(value) : whole(value));

/** Aligns columns: the first to the left, the others to the right. */
function table(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

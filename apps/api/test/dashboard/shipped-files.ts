import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../deploy');

/** Units of panels as Grafana names them. */
export type Unit = 'reqps' | 'ops' | 's' | 'bytes' | 'short';

interface Target {
  readonly refId: string;
  readonly expr: string;
  /** The name of the series, with labels in double braces. */
  readonly legendFormat: string;
}

/** Something placed in the dashboard's grid of 24 columns. */
export interface Placed {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

/** The part of a panel that is drawn. */
export interface Panel extends Placed {
  readonly fieldConfig: { readonly defaults: { readonly unit: Unit } };
  readonly targets: readonly Target[];
}

/** The alerting rules, as Prometheus loads them. */
export const alertsFile = join(folder, 'alerts.yaml');

/** The panels and row headings of the dashboard, without those of edges: there are none in the scenario. */
export function shippedDashboard(): { readonly panels: readonly Panel[]; readonly headings: readonly Placed[] } {
  // The file is ours; a missing member fails the scenario.
  const { panels } = JSON.parse(readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
  };
  const isHeading = ({ type }: Placed) => type === 'row';
  const isOfEdges = ({ targets }: Panel) => targets.some(({ expr }) => expr.includes('edge_'));
  return {
    panels: panels.filter((each) => !isHeading(each) && !isOfEdges(each)),
    headings: panels.filter(isHeading),
  };
}

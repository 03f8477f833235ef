import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../deploy');

/** Units of panels as Grafana names them. */
export type Unit = 'reqps' | 'ops' | 's' | 'bytes' | 'short';

interface Target {
  readonly refId: string;
  readonly expr: string;
  /** Its name, with labels in double braces. */
  readonly legendFormat: string;
}

/** What has a place in the grid of the dashboard, which has 24 columns. */
export interface Placed {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

/** A panel as far as it is drawn. */
export interface Panel extends Placed {
  readonly fieldConfig: { readonly defaults: { readonly unit: Unit } };
  readonly targets: readonly Target[];
}

/** The alerting rules, as Prometheus loads them. */
export const alertsFile = join(folder, 'alerts.yaml');

/** What is on the dashboard: panels, and headings of rows. */
export function shippedDashboard(): { readonly panels: readonly Panel[]; readonly headings: readonly Placed[] } {
  // The file is ours; a member that is missing fails the scenario.
  const { panels } = JSON.parse(readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
  };
  const isHeading = ({ type }: Placed) => type === 'row';
  return { panels: panels.filter((each) => !isHeading(each)), headings: panels.filter(isHeading) };
}

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What is measured when metrics are read. */
export interface Measured {
  readonly served: () => number;
  readonly compiled: () => number;
  readonly rejected: () => number;
  /** Seconds since the service last answered; undefined: never. */
  readonly feedAgeSeconds: () => number | undefined;
}

/** The metrics of this process; requests add theirs. */
export function openMetrics({ served, compiled, rejected, feedAgeSeconds }: Measured): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  gauge(registry, 'edge_zones_served', 'Zones that this edge answers for', served);
  gauge(registry, 'edge_zones_compiled', 'Zones that are ready in memory because they are in use', compiled);
  gauge(registry, 'edge_zones_rejected', 'Zones whose newest document is not used', rejected);
  gauge(registry, 'edge_feed_age_seconds', 'Seconds since the service last answered', () => feedAgeSeconds() ?? -1);
  return registry;
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) });
}

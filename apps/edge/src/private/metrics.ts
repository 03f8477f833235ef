import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is measured when metrics are read. */
export interface Measured {
  readonly served: () => number;
  readonly rejected: () => number;
  /** Seconds since the service last answered; undefined: never. */
  readonly feedAgeSeconds: () => number | undefined;
}

/** The metrics of the process that follows the service. */
export function edgeMetrics({ served, rejected, feedAgeSeconds }: Measured): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  gauge(registry, 'edge_zones_served', 'Zones that this edge answers for', served);
  gauge(registry, 'edge_zones_rejected', 'Zones whose newest document is not used', rejected);
  gauge(registry, 'edge_feed_age_seconds', 'Seconds since the service last answered', () => feedAgeSeconds() ?? -1);
  return registry;
}

/** The part of a request that is measured. */
interface MeasuredRequest {
  readonly disposition: string;
  readonly status: number;
  readonly complete: boolean;
  readonly milliseconds: number;
  /** What its zone or client has used up. */
  readonly share?: string;
  readonly transformation?: string;
}

/** Seconds; most answers take as long as their origins. */
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Measures requests, in the process that answers them. */
export function requestMetrics(registry: Registry, compiled: () => number): (request: MeasuredRequest) => void {
  gauge(registry, 'edge_zones_compiled', 'Zones that are ready in memory because they are in use', compiled);
  const durations = new Histogram({
    name: 'edge_request_duration_seconds',
    help: 'Request duration, until the end of the answer',
    labelNames: ['disposition', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const incomplete = new Counter({
    name: 'edge_incomplete_answers_total',
    help: 'Answers whose client went away, or whose origin broke off',
    registers: [registry],
  });
  const refused = new Counter({
    name: 'edge_share_refusals_total',
    help: 'Requests and connections that were refused because their zone or client has used up a share',
    labelNames: ['share'],
    registers: [registry],
  });
  const transformations = new Counter({
    name: 'edge_transformations_total',
    help: 'Images and pages that were worked on, by how that ended',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return ({ disposition, status, complete, milliseconds, share, transformation }) => {
    if (share !== undefined) refused.inc({ share });
    durations.observe({ disposition, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000);
    if (!complete) incomplete.inc();
    if (transformation !== undefined) transformations.inc({ outcome: transformation });
  };
}

/** The metrics of several processes as one text. */
export const metricsText = (each: readonly Awaited<ReturnType<Registry['getMetricsAsJSON']>>[]): Promise<string> =>
  Promise.resolve(AggregatorRegistry.aggregate([...each]).metrics());

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) });
}

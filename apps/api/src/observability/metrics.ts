import type { Worker } from 'node:cluster';
import { createServer } from 'node:http';
import { listen } from '@zonewright/configuration';
import type { RateLimiter } from '@zonewright/core';
import type { Middleware } from 'koa';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { answerMetricsRequests, clusterMetrics } from './cluster-metrics.ts';
import {
  buildInfo,
  cleanUpFailures,
  counterOf,
  gaugeOf,
  hashingGauge,
  type MeasuredHashing,
  type MeasuredStorage,
  type MeasuredThreads,
  storageGauges,
  threadsGauge,
} from './gauges.ts';
import { measuredLimiter } from './limiter-metrics.ts';
import { reportOf } from './request-report.ts';

/** Seconds; most responses take milliseconds, a login a few tens of them. */
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of the process, in the Prometheus text format. */
export interface Metrics {
  /** Counts and times requests by route template, method and status. */
  readonly middleware: Middleware;
  /** Wraps a limiter to record its metrics. */
  limiter(limiter: RateLimiter): RateLimiter;
  /** Serves `GET /metrics` on a separate port, which should not be public. */
  serve(host: string, port: number): Promise<MetricsServer>;
  /** Shares the metrics with the primary process, which serves those of all processes. */
  share(): void;
}

interface MetricsServer {
  close(): Promise<void>;
}

/** Metrics of the log. */
export interface LogMetrics {
  /** Lines dropped since startup because the output was blocked. */
  readonly lostLogLines?: () => number;
}

/** A counter whose total is kept elsewhere. */
const totalOf = (name: string, help: string, count: () => number): Counter =>
  counterOf([name, help], (counter) => counter.inc(count()));

/** For a process without workers, 1: so one query shows all kinds of instances. */
const workersServing = (count: () => number) =>
  gaugeOf(['workers_serving', 'Serving processes on this machine'], (gauge) => gauge.set(count()));

/** What is queried when metrics are read. */
export interface Measured extends LogMetrics {
  readonly storage: MeasuredStorage;
  readonly hashing: MeasuredHashing;
  /** Absent where everything runs in the calling thread. */
  readonly threads?: MeasuredThreads | undefined;
}

const threadMetrics = (threads: MeasuredThreads) => [
  threadsGauge(threads),
  totalOf(
    'request_threads_lost_total',
    'Request threads that took too long or too much memory',
    () => threads.stats().lost,
  ),
];

/** What is measured when metrics are read. */
const measuredAtOnce = ({ storage, hashing, threads }: Measured) => [
  buildInfo(),
  ...storageGauges(storage),
  hashingGauge(hashing),
  cleanUpFailures(storage),
  ...(threads === undefined ? [] : threadMetrics(threads)),
];

/** Opens a separate registry for the metrics of this process and of the shared outbox. */
export function openMetrics({ lostLogLines = () => 0, storage, hashing, threads }: Measured): Metrics {
  const registry = new Registry();
  registry.registerMetric(totalOf('log_lines_lost_total', 'Log lines that could not be written', lostLogLines));
  collectDefaultMetrics({ register: registry });
  for (const metric of measuredAtOnce({ storage, hashing, threads })) registry.registerMetric(metric);
  const limited = new Counter({
    name: 'rate_limited_requests_total',
    help: 'Requests rejected by a rate limit',
    labelNames: ['limit'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  return {
    middleware: async (ctx, next) => {
      const stop = durations.startTimer();
      await next();
      stop({ method: ctx.method, route: reportOf(ctx).route ?? 'none', status: ctx.status });
      for (const limit of reportOf(ctx).exceededLimits) limited.inc({ limit });
    },
    limiter: (limiter) => measuredLimiter(limiter, registry),
    serve: (host, port) => {
      registry.registerMetric(workersServing(() => 1));
      return servedText(() => registry.metrics(), host, port);
    },
    share: () => answerMetricsRequests(registry),
  };
}

/** The cluster's workers: those serving now, and how many have been replaced. */
export interface MeasuredProcesses {
  readonly serving: () => readonly Worker[];
  readonly replacements: () => number;
}

/** Serves the combined metrics of all processes. */
export function serveClusterMetrics(
  { serving, replacements }: MeasuredProcesses,
  host: string,
  port: number,
): Promise<MetricsServer> {
  const own = new Registry();
  own.registerMetric(workersServing(() => serving().length));
  own.registerMetric(totalOf('worker_replacements_total', 'Serving processes replaced after an exit', replacements));
  return servedText(async () => `${await clusterMetrics(serving())}${await own.metrics()}`, host, port);
}

async function servedText(text: () => Promise<string>, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isMetrics = request.method === 'GET' && request.url === '/metrics';
    if (!isMetrics) return void response.writeHead(404).end();
    text().then(
      (read) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(read),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, { host, port, variable: 'METRICS_PORT' });
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

import { createServer } from 'node:http';
import type { Middleware } from 'koa';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type FiguresOfHashing, type FiguresOfStorage, hashingGauge, storageGauges } from './gauges.ts';
import { exceededLimits } from './limits/limited-work.ts';
import { listen } from './listen.ts';

/** Seconds; most answers take milliseconds, a login some tens of them. */
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What the process measures of itself, in the Prometheus text format. */
export interface Metrics {
  /** Counts and times requests by route template, method and status. */
  readonly middleware: Middleware;
  /** Serves `GET /metrics` on a port of its own, which is not meant for the public. */
  serve(host: string, port: number): Promise<{ close(): Promise<void> }>;
}

/** What a log says about itself, where it counts. */
export interface LogFigures {
  /** Lines that were lost since the start because the output took none. */
  readonly lostLogLines?: () => number;
}

const lostLines = (count: () => number): Counter =>
  new Counter({
    name: 'log_lines_lost_total',
    help: 'Log lines that could not be written',
    registers: [],
    collect() {
      this.reset();
      this.inc(count());
    },
  });

/** What is asked for its figures whenever metrics are read. */
export interface Measured extends LogFigures {
  readonly storage: FiguresOfStorage;
  readonly hashing: FiguresOfHashing;
}

/** Figures of this process, and of the outbox that all instances share, in a registry of their own. */
export function openMetrics({ lostLogLines = () => 0, storage, hashing }: Measured): Metrics {
  const registry = new Registry();
  registry.registerMetric(lostLines(lostLogLines));
  collectDefaultMetrics({ register: registry });
  for (const gauge of [...storageGauges(storage), hashingGauge(hashing)]) registry.registerMetric(gauge);
  const limited = new Counter({
    name: 'rate_limited_requests_total',
    help: 'Requests refused by a rate limit',
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
      stop({ method: ctx.method, route: String(ctx.state['route'] ?? 'none'), status: ctx.status });
      for (const limit of exceededLimits(ctx)) limited.inc({ limit });
    },
    serve: async (host, port) => {
      const server = createServer((request, response) => {
        const isMetrics = request.method === 'GET' && request.url === '/metrics';
        if (!isMetrics) return void response.writeHead(404).end();
        registry.metrics().then(
          (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      });
      await listen(server, { host, port, variable: 'METRICS_PORT' });
      return { close: () => new Promise((resolve) => server.close(() => resolve())) };
    },
  };
}

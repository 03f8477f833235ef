import type { RateLimitName } from '@zonewright/configuration';
import type { Context } from 'koa';

/** What the log, the metrics and the traces report about a request. */
export interface RequestReport {
  /** The client's `X-Request-Id` or a new one. */
  readonly id: string;
  /** Only while requests are traced. */
  traceId?: string;
  /** The path of the route, or that of a file; absent while nothing has matched. */
  route?: string;
  /** The limits that rejected the request. */
  exceededLimits: readonly RateLimitName[];
}

const reports = new WeakMap<Context, RequestReport>();

/** Starts the report of a request; the outermost middleware does so for every request. */
export function startReport(ctx: Context, id: string): void {
  reports.set(ctx, { id, exceededLimits: [] });
}

/** The report of a request. */
export function reportOf(ctx: Context): RequestReport {
  const report = reports.get(ctx);
  if (report === undefined) throw new Error('A request was handled before its report was started.');
  return report;
}

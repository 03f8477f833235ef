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
  /** Why a provider, or what it said, was refused; contains no values of the request. */
  refusal?: string;
  /** The limits that rejected the request. */
  exceededLimits: readonly RateLimitName[];
}

/** From the registry: traces are loaded on demand, possibly with a copy of this module. */
const key = Symbol.for('zonewright.request-report');

/** Starts the report of a request; the outermost middleware does so for every request. */
export function startReport(ctx: Context, id: string): RequestReport {
  const report: RequestReport = { id, exceededLimits: [] };
  ctx[key] = report;
  return report;
}

/** The report of a request; without an id if the outermost middleware is not in use. */
export function reportOf(ctx: Context): RequestReport {
  // Only `startReport` sets this member.
  const report = ctx[key] as RequestReport | undefined;
  return report ?? startReport(ctx, '');
}

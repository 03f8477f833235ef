import type { StatementWatchers } from '@zonewright/postgres';
import type { Context, Middleware } from 'koa';
import { reportOf } from './request-report.ts';

/** Runs work and records its duration as part of the current request. */
export type Timed = <T>(what: string, work: () => PromiseLike<T>) => Promise<T>;

/** Traces requests into the work done for them. Optional, because asynchronous context slows down every promise. */
export interface Tracing {
  /** Wraps every request. */
  readonly middleware: Middleware;
  /** For the database layer: associates statements with their request. */
  readonly trace: NonNullable<StatementWatchers['trace']>;
  readonly timed: Timed;
  close(): Promise<void>;
}

/** The id of a request; set by the outermost middleware. */
export const requestIdOf = (ctx: Context): string => reportOf(ctx).id;

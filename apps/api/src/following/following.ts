import type { StatementWatchers } from '@zonewright/postgres';
import type { Context, Middleware } from 'koa';

/** Does work, and notes how long it took as a part of the request that it is done for. */
export type Timed = <T>(what: string, work: () => PromiseLike<T>) => Promise<T>;

/** Follows requests into what is done for them: asynchronous context makes every promise dearer, so only on demand. */
export interface Following {
  /** What every request goes through. */
  readonly middleware: Middleware;
  /** For the database: which request a statement belongs to. */
  readonly follow: NonNullable<StatementWatchers['follow']>;
  readonly timed: Timed;
  close(): Promise<void>;
}

/** The id of a request, which every one has been given by then. */
export const requestIdOf = (ctx: Context): string => String(ctx.state['requestId']);

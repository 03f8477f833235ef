import type { Config } from '@zonewright/configuration';
import type { StatementWatchers } from '@zonewright/postgres';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';

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

/** What is wanted of `config`, loaded only then; nothing costs anything where requests are not followed. */
export async function openFollowing(
  { traces, databaseRequestIds }: Pick<Config, 'traces' | 'databaseRequestIds'>,
  log: Logger,
): Promise<Following | undefined> {
  if (traces) return (await import('./traces.ts')).openTraces(log);
  return databaseRequestIds ? (await import('./request-ids.ts')).followRequestIds() : undefined;
}

/** The id of a request, which every one has been given by then. */
export const requestIdOf = (ctx: Context): string => String(ctx.state['requestId']);

import type { Config } from '@zonewright/configuration';
import type { Logger } from 'pino';
import type { Tracing } from './tracing.ts';

/** Loads only the parts that `config` enables, so that disabled tracing costs nothing. */
export async function openTracing(
  { traces, databaseRequestIds }: Pick<Config, 'traces' | 'databaseRequestIds'>,
  log: Logger,
): Promise<Tracing | undefined> {
  if (traces) return (await import('./traces.ts')).openTraces(log);
  return databaseRequestIds ? (await import('./request-ids.ts')).traceRequestIds() : undefined;
}

import type { Config } from '@zonewright/configuration';
import type { Logger } from 'pino';
import type { Following } from './following.ts';

/** What is wanted of `config`, loaded only then; nothing costs anything where requests are not followed. */
export async function openFollowing(
  { traces, databaseRequestIds }: Pick<Config, 'traces' | 'databaseRequestIds'>,
  log: Logger,
): Promise<Following | undefined> {
  if (traces) return (await import('./traces.ts')).openTraces(log);
  return databaseRequestIds ? (await import('./request-ids.ts')).followRequestIds() : undefined;
}

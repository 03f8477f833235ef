import type { ApiError } from '@zonewright/api-description';
import type { PlausibleCredential } from '@zonewright/core';
import { timeComputing } from '@zonewright/gate';
import type { ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';
import type { Shares } from './shares.ts';

/** Where requests wait for their turn. */
export interface Turns {
  readonly shares: Shares;
}

/** Looks up a credential when it is the turn of its user, who is known for sessions only. */
export const lookUpInTurn = <T>(
  credential: PlausibleCredential,
  { shares }: Turns,
  lookUp: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> =>
  shares.users.run(credential.kind === 'session' ? credential.userId : credential.hash, lookUp);

/**
 * Executes a request when it is the turn of its user, or of its network for requests without a caller. Edges have turns
 * of their own for each read, because they wait in between (`Publisher`).
 */
export const executeInTurn = <T>(
  exchange: Exchange,
  { mayWait }: Pick<Route, 'mayWait'>,
  { shares }: Turns,
  execute: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> => {
  const { caller, client, edge } = exchange;
  if (edge !== undefined) return execute();
  if (caller === undefined) return shares.networks.run(client.network, execute);
  return (mayWait ? shares.waiting : shares.users).run(caller.userId, () => {
    timeComputing((milliseconds) => {
      exchange.workMilliseconds += milliseconds;
    });
    return execute();
  });
};

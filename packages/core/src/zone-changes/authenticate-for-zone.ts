import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PlausibleCredential } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { PrefetchedZone } from './ports.ts';

/** A caller who was authenticated together with a read of a zone. */
interface CallerWithZone extends Caller {
  readonly prefetched: PrefetchedZone;
}

export type AuthenticateForZone = (
  credential: PlausibleCredential,
  client: Client,
  zone: ZoneId,
) => ResultAsync<Caller, Unauthenticated>;

/**
 * Authenticates a caller who is about to change a zone. The same statement reads the zone, and the change is decided on
 * that; if it is outdated by then, it is decided again like any other change.
 */
export const authenticateForZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): AuthenticateForZone =>
  (credential, client, zone) =>
    unitOfWork
      .view(({ zoneChanges }) => zoneChanges.prefetch(credential, zone))
      .map(({ caller, found: prefetched }) =>
        prefetched === undefined ? { ...caller, client } : { ...caller, client, prefetched },
      );

/** The zone as read when the caller was authenticated, if it was. */
export const prefetchedZone = (caller: Caller, zone: ZoneId): PrefetchedZone | undefined =>
  hasPrefetchedZone(caller) && caller.prefetched.id === zone ? caller.prefetched : undefined;

const hasPrefetchedZone = (caller: Caller): caller is CallerWithZone => 'prefetched' in caller;

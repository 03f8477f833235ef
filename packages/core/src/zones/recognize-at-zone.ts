import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PlausibleCredential } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { SeenZone } from './ports.ts';

/** A caller who was authenticated together with a read of a zone. */
interface CallerAtZone extends Caller {
  readonly seen: SeenZone;
}

export type RecognizeAtZone = (
  credential: PlausibleCredential,
  client: Client,
  zone: ZoneId,
) => ResultAsync<Caller, Unauthenticated>;

/**
 * Authenticates a caller who is about to change a zone. The same statement reads the zone, and the change is decided on
 * that; if it is outdated by then, it is decided again like any other change.
 */
export const recognizeAtZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RecognizeAtZone =>
  (credential, client, zone) =>
    unitOfWork
      .view(({ zoneChanges }) => zoneChanges.seen(credential, zone))
      .map(({ caller, found: seen }) => (seen === undefined ? { ...caller, client } : { ...caller, client, seen }));

/** The zone as read when the caller was authenticated, if it was. */
export const seenBy = (caller: Caller, zone: ZoneId): SeenZone | undefined =>
  isAtZone(caller) && caller.seen.id === zone ? caller.seen : undefined;

const isAtZone = (caller: Caller): caller is CallerAtZone => 'seen' in caller;

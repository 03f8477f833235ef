import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PlausibleCredential } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { SeenZone } from './ports.ts';

/** A caller who was recognized along with a zone. */
interface CallerAtZone extends Caller {
  readonly seen: SeenZone;
}

export type RecognizeAtZone = (
  credential: PlausibleCredential,
  client: Client,
  zone: ZoneId,
) => ResultAsync<Caller, Unauthenticated>;

/**
 * Recognizes a caller who is about to change something in a zone. The zone is looked at by the same statement, and the
 * change is decided on that: if it is not so any more, as for every change, it is decided again.
 */
export const recognizeAtZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RecognizeAtZone =>
  (credential, client, zone) =>
    unitOfWork
      .view(({ zoneChanges }) => zoneChanges.seen(credential, zone))
      .map(({ caller, found: seen }) => (seen === undefined ? { ...caller, client } : { ...caller, client, seen }));

/** What was seen of the zone when the caller was recognized, if anything. */
export const seenBy = (caller: Caller, zone: ZoneId): SeenZone | undefined =>
  isAtZone(caller) && caller.seen.id === zone ? caller.seen : undefined;

const isAtZone = (caller: Caller): caller is CallerAtZone => 'seen' in caller;

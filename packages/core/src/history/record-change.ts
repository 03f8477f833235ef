import { okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { AuditAction } from '../audit/audit-entry.ts';
import { record } from '../audit/record.ts';
import type { Repositories } from '../repositories.ts';
import type { Caller } from '../sessions/caller.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { type JsonObject, mergePatchBetween } from '../shared/merge-patch.ts';
import type { Zone } from '../zones/zone.ts';
import { currentDocument } from './current-document.ts';
import type { PatchPair } from './revision.ts';
import type { ZoneDocument } from './zone-document.ts';

/** A change of a zone or of something inside it. */
export interface ZoneChange {
  readonly action: AuditAction;
  /** Ids of what was changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** The part of the zone's document that was touched, as it was and as it is. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** The pair of patches between two documents, or between the same parts of two. */
export const patchPair = (before: JsonObject, after: JsonObject): PatchPair => ({
  patch: jsonDocument(mergePatchBetween(before, after)),
  inverse: jsonDocument(mergePatchBetween(after, before)),
});

/**
 * What every change inside a locked zone ends with: the zone has another revision, history says what changed, the
 * audit log who did it.
 */
export const recordChange = (
  repositories: Repositories,
  caller: Caller,
  { id: zoneId, organizationId: organization }: Pick<Zone, 'id' | 'organizationId'>,
  { action, objects, before, after }: ZoneChange,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const number = yield* repositories.zones.raiseVersion(zoneId);
    const snapshot = yield* snapshotAt(repositories, { id: zoneId }, number);
    const pair = patchPair(before, after);
    yield* repositories.history.add({ zoneId, number, action, objects, author: caller.userId, ...pair, snapshot });
    return record(repositories, caller, action, { organization, objects: { zone: zoneId, ...objects } });
  });

/** One revision in so many holds the whole document: that many patches at most make any state. */
const snapshotEvery = 100;

const snapshotAt = (
  repositories: Repositories,
  zone: Pick<Zone, 'id'>,
  number: number,
): ResultAsync<JsonDocument<ZoneDocument> | undefined, never> =>
  number % snapshotEvery === 0
    ? currentDocument(repositories, zone).map((document) => jsonDocument(document))
    : okAsync(undefined);

/** The first revision of a new zone. */
export const recordCreation = (repositories: Repositories, caller: Caller, zone: Zone): ResultAsync<void, never> =>
  currentDocument(repositories, zone).andThen((document) =>
    repositories.history
      .add({
        zoneId: zone.id,
        number: zone.revision,
        action: 'zone.created',
        objects: {},
        author: caller.userId,
        ...patchPair({}, document),
        snapshot: jsonDocument(document),
      })
      .andThen(() =>
        record(repositories, caller, 'zone.created', {
          organization: zone.organizationId,
          objects: { zone: zone.id },
        }),
      ),
  );

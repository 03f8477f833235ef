import { okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import { record } from '../audit/record.ts';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId, ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { type JsonObject, mergePatchBetween } from '../shared/merge-patch.ts';
import { utf8Bytes } from '../shared/text.ts';
import { currentDocument } from './current-document.ts';
import type { NewRevision } from './ports.ts';
import type { NextRevision, PatchPair } from './revision.ts';

/** The zone that is changed, or in which something is. */
interface ChangedZone {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
}

/** A change of a zone or of something inside it. */
export interface ZoneChange {
  readonly action: AuditAction;
  /** Ids of what was changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** What it was called, for the audit log alone: the ids of what is deleted lead nowhere. */
  readonly name?: string;
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
  { id: zoneId, organizationId: organization }: ChangedZone,
  { action, objects, name, before, after }: ZoneChange,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const next = yield* repositories.zones.raiseVersion(zoneId);
    const pair = patchPair(before, after);
    const replay = yield* replayAt(repositories, { id: zoneId }, next, pair);
    const change = { zoneId, number: next.revision, action, objects, author: caller.userId };
    yield* repositories.history.add({ ...change, ...pair, ...replay });
    const named = name === undefined ? objects : { ...objects, name };
    return record(repositories, caller, action, { organization, objects: { zone: zoneId, ...named } });
  });

/** Making any state takes one snapshot and at most so many patches ... */
const maxReplayedPatches = 100;
/** ... of at most so many bytes together. */
const maxReplayedBytes = 1_000_000;

/** A snapshot when it is time for one, and how much there is to replay since the latest. */
const replayAt = (
  repositories: Repositories,
  zone: Pick<ChangedZone, 'id'>,
  { revision, replayBytes: bytesBefore }: NextRevision,
  { patch: { text } }: PatchPair,
): ResultAsync<Pick<NewRevision, 'snapshot' | 'replayBytes'>, never> => {
  // Texts that are large by their length alone are not counted byte by byte.
  const replayBytes = bytesBefore + (text.length > maxReplayedBytes ? text.length : utf8Bytes(text));
  return replayBytes > maxReplayedBytes || revision % maxReplayedPatches === 0
    ? currentDocument(repositories, zone).map((document) => ({ snapshot: jsonDocument(document), replayBytes: 0 }))
    : okAsync({ snapshot: undefined, replayBytes });
};

/** The first revision of a new zone. */
export const recordCreation = (
  repositories: Repositories,
  caller: Caller,
  zone: ChangedZone & { readonly revision: number },
): ResultAsync<void, never> =>
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
        replayBytes: 0,
      })
      .andThen(() =>
        record(repositories, caller, 'zone.created', {
          organization: zone.organizationId,
          objects: { zone: zone.id },
        }),
      ),
  );

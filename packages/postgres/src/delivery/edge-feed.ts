import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type BasicAuthUserId,
  type Canary,
  type DueZone,
  type EdgeDocumentNotFound,
  type EdgeFeed,
  edgeDocumentNotFound,
  type FeedPage,
  type FeedPosition,
  type FeedStatus,
  type FeedZone,
  type OfferedRevision,
  type PendingChange,
  type PublishedZone,
  type Rollouts,
  type StoredDocument,
  type ZoneCredentials,
} from '@zonewright/core';
import { okAsync, ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { itemOf, many, maybe, one, type RowOf, required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';

/** Marks of an organization that are looked at together: a zone that changes often has many. */
const marks = 200;

/** Takes two thirds of the default level's time for 10 % more bytes. */
const level = 4;

interface DueRow extends RowOf<DueZone> {
  readonly marks: readonly string[];
  readonly turn: number;
  readonly latest: string;
}

export const postgresEdgeFeed = (on: Connection, { documents }: Pick<ZoneCache, 'documents'>): EdgeFeed => ({
  // The lock first: what is read afterwards includes all that its last holder has committed.
  due: (zones, { latest, turn }) =>
    one(on, sql.edgeFeed.lock, {})
      .andThen(() => many<DueRow>(on, sql.edgeFeed.due, { zones, marks, latest: latest ?? null, turn }))
      .map((rows) => ({
        marks: rows.flatMap((row) => row.marks),
        zones: rows.map(({ marks: _, turn: __, latest: ___, ...zone }) => itemOf<DueZone>(zone)),
        round: { latest: rows[0]?.latest ?? latest, turn: rows.at(-1)?.turn ?? turn },
      })),
  publish: (zones, { marks, round }) =>
    addDocuments(on, zones)
      .andThen(() => (zones.length === 0 ? okAsync() : run(on, sql.edgeFeed.publish, { zones: entriesOf(zones) })))
      .andThen(() => one<{ isMore: boolean }>(on, sql.edgeFeed.removeMarks, { marks, latest: round.latest ?? null }))
      .map(({ isMore }) => isMore),
  markAll: (formatVersion) => run(on, sql.edgeFeed.markAll, { formatVersion }),
  changes: ({ tags, organizations, stage }, after, limit) =>
    many<ChangeRow>(on, sql.edgeFeed.changes, {
      tags,
      organizations,
      stage,
      number: after?.number ?? null,
      publication: after?.publication ?? null,
      nonce: after?.nonce ?? null,
      isWhole: after?.isWhole ?? false,
      // One more shows that there are more.
      limit: limit + 1,
    }).map(pageOf),
  document: (digest) => {
    const known = documents.get(digest);
    return known === undefined
      ? readDocument(on, digest).andTee((document) => documents.set(digest, document, document.bytes.length))
      : okAsync(known);
  },
  status: () => one<FeedStatus>(on, sql.edgeFeed.status, {}),
  forget: (unusedSeconds, publications) =>
    // The lock, so that no publication of a zone whose removal is being forgotten waits for this.
    one(on, sql.edgeFeed.lock, {})
      .andThen(() => run(on, sql.edgeFeed.forgetDocuments, { unusedSeconds }))
      .andThen(() => run(on, sql.edgeFeed.forgetPublications, { publications }))
      .andThen(() => run(on, sql.edgeFeed.forgetRemovals, {})),
});

const readDocument = (on: Connection, digest: string): ResultAsync<StoredDocument, EdgeDocumentNotFound> =>
  required<StoredDocument>(on, sql.edgeFeed.document, { digest }).mapErr(edgeDocumentNotFound);

const compress = promisify(gzip);

/** Stores the documents of zones. */
function addDocuments(on: Connection, zones: readonly PublishedZone[]): ResultAsync<void, never> {
  const documents = zones.flatMap(({ document, organizationId, tag }) =>
    document === undefined ? [] : [{ ...document, organizationId, tag }],
  );
  if (documents.length === 0) return okAsync();
  const digests = documents.map(({ digest }) => digest);
  const organizations = documents.map(({ organizationId }) => organizationId);
  const tags = documents.map(({ tag }) => tag);
  return ResultAsync.fromSafePromise(Promise.all(documents.map(({ text }) => compress(text, { level })))).andThen(
    (bytes) => run(on, sql.edgeFeed.addDocuments, { digests, bytes, organizations, tags }),
  );
}

const entriesOf = (zones: readonly PublishedZone[]): string =>
  JSON.stringify(
    zones.map(({ document, ...zone }) => ({
      ...zone,
      digest: document?.digest,
      hostnames: document?.hostnames ?? [],
    })),
  );

/** A row of the answer; the columns of the zone are null if there is nothing to tell. */
interface ChangeRow {
  readonly isKnown: boolean;
  readonly lastPosition: number;
  readonly publication: number;
  readonly nonce: FeedPosition['nonce'];
  readonly unchanged: number;
  readonly id: FeedZone['id'] | null;
  readonly position: number;
  readonly revision: number;
  readonly digest: string | null;
  readonly hostnames: NonNullable<FeedZone['document']>['hostnames'];
  readonly isServed: boolean;
}

function pageOf(rows: readonly ChangeRow[]): FeedPage {
  const [first] = rows;
  if (first === undefined) throw new Error('The statement returned no end of the feed.');
  const { isKnown, lastPosition: number, publication, nonce, unchanged } = first;
  return { isKnown, end: { number, publication, nonce, isWhole: false }, unchanged, zones: rows.flatMap(zoneIn) };
}

const zoneIn = ({ id, position, revision, digest, hostnames, isServed }: ChangeRow): readonly FeedZone[] => {
  if (id === null) return [];
  return [{ id, position, document: isServed && digest !== null ? { revision, digest, hostnames } : undefined }];
};

export const postgresRollouts = (on: Connection): Rollouts => ({
  canaries: (silentAfterSeconds) => many<Canary>(on, sql.rollouts.canaries, { silentAfterSeconds }),
  pending: (limit) =>
    one(on, sql.edgeFeed.lock, {})
      .andThen(() => many<RowOf<PendingChange>>(on, sql.rollouts.pending, { zone: null, limit }))
      .map((rows) => rows.map(itemOf<PendingChange>)),
  pendingOf: (zone) =>
    one(on, sql.edgeFeed.lock, {})
      .andThen(() => maybe<RowOf<PendingChange>>(on, sql.rollouts.pending, { zone, limit: 1 }))
      .map((row) => row && itemOf<PendingChange>(row)),
  promote: (zones) => run(on, sql.rollouts.promote, { zones }),
  offered: (zone) =>
    many<RowOf<OfferedRevision>>(on, sql.rollouts.offered, { zone }).map((rows) => rows.map(itemOf<OfferedRevision>)),
  noteCurrent: (silentAfterSeconds, limit) => run(on, sql.rollouts.noteCurrent, { silentAfterSeconds, limit }),
});

export const postgresZoneCredentials = (on: Connection): ZoneCredentials => ({
  hashes: (zone) =>
    many<{ readonly id: BasicAuthUserId; readonly hash: string }>(on, sql.zoneCredentials.hashes, { zone }).map(
      (rows) => new Map(rows.map(({ id, hash }) => [id, hash])),
    ),
});

import { gzipSync } from 'node:zlib';
import {
  type Edge,
  type EdgeFeed,
  type EdgeIdentity,
  type EdgeStage,
  edgeDocumentNotFound,
  edgeStages,
  type FeedPage,
  type FeedPosition,
  isInScope,
  type PendingChange,
  type PublishedZone,
  type Rollouts,
  type ZoneCredentials,
  type ZoneId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import type { EdgeZoneRow } from '../tables/edge-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { dueZones, isDue, lookedAt } from './due-zones.ts';
import { isConnected, secondsBetween } from './edge-connections.ts';

const rowKey = (zone: ZoneId, stage: EdgeStage): string => `${zone} ${stage}`;

/** Where the feed ends. */
const endOf = ({ publications }: Tables): FeedPosition => {
  const [last] = [...publications].slice(-1);
  if (last === undefined)
    return { number: 0, publication: 0, nonce: '00000000-0000-7000-8000-000000000000', isWhole: false };
  const [publication, row] = last;
  return { ...row, publication, isWhole: false };
};

/** The publication that a position names, if it is one of this storage. */
export const publicationOf = (tables: Tables, { publication, nonce, number }: FeedPosition) => {
  const end = endOf(tables);
  const row = publication === 0 ? (end.publication === 0 ? end : undefined) : tables.publications.get(publication);
  return row !== undefined && row.nonce === nonce && number <= row.number ? row : undefined;
};

/** Removals up to this position may be forgotten. */
const horizonOf = ({ publications }: Tables): number => [...publications.values()][0]?.number ?? 0;

/** Adds a publication; resolves to its number. */
function publication({ tables, commit }: Unit): number {
  const { number, publication: last } = endOf(tables);
  const nonce = `00000000-0000-7000-8000-${commit.toString(16).padStart(12, '0')}`;
  tables.publications.set(last + 1, { number: number + 1, nonce });
  return number + 1;
}

/** Each publication has one number, and names each zone once. */
export const memoryEdgeFeed = (unit: Unit): EdgeFeed => {
  const { tables } = unit;
  const { edgeZones, edgeDocuments } = tables;
  return {
    due: (named, round) => okAsync(dueZones(unit, named, round)),
    publish: (zones, due) => {
      for (const zone of zones) publishZone(unit, zone);
      return okAsync(lookedAt(unit, due));
    },
    markAll: () => okAsync(),
    changes: (reader, after, limit) => okAsync(changesIn(tables, { reader, after, limit })),
    document: (digest) => {
      const row = edgeDocuments.get(digest);
      return row === undefined ? errAsync(edgeDocumentNotFound()) : okAsync(row);
    },
    status: () =>
      okAsync({
        isDue: isDue(unit),
        isPending:
          pendingIn(unit).some(({ isHalted }) => !isHalted) ||
          [...edgeZones.values()].some(({ currentSince }) => currentSince === undefined),
        publication: endOf(tables).publication,
      }),
    forget: (unusedSeconds, kept) => {
      forgetIn(unit, unusedSeconds, kept);
      return okAsync();
    },
  };
};

interface ChangesRequest {
  readonly reader: EdgeIdentity;
  readonly after: FeedPosition | undefined;
  readonly limit: number;
}

function changesIn(tables: Tables, { reader, after, limit }: ChangesRequest): FeedPage {
  const isKnown =
    after !== undefined &&
    publicationOf(tables, after) !== undefined &&
    (after.isWhole || after.number >= horizonOf(tables));
  const from = isKnown ? after.number : -1;
  const rows = [...tables.edgeZones.values()].filter(({ stage }) => stage === reader.stage);
  const zones = rows
    .filter((row) => row.position > from && (isServed(row, reader) || (isKnown && wasInScope(row, reader))))
    .sort((one, other) => one.position - other.position)
    .slice(0, limit + 1)
    .map((row) => ({
      id: row.id,
      position: row.position,
      document: isServed(row, reader) ? row.document : undefined,
    }));
  const unchanged = rows.filter((row) => isKnown && row.position <= after.number && isServed(row, reader)).length;
  return { isKnown, end: endOf(tables), zones, unchanged };
}

function forgetIn({ tables, now }: Unit, unusedSeconds: number, kept: number): void {
  const { edgeZones, edgeDocuments, publications } = tables;
  const used = new Set([...edgeZones.values()].map(({ document }) => document?.digest));
  for (const [digest, { publishedAt }] of edgeDocuments)
    if (!used.has(digest) && secondsAfter(publishedAt, unusedSeconds) < now()) edgeDocuments.delete(digest);
  const { publication: last } = endOf(tables);
  for (const number of publications.keys()) if (number <= last - kept) publications.delete(number);
  for (const [key, { document, isPending, position }] of edgeZones)
    if (document === undefined && !isPending && position <= horizonOf(tables)) edgeZones.delete(key);
}

type Scope = Parameters<typeof isInScope>[0];

const isServed = (row: EdgeZoneRow, scope: Scope): boolean => row.document !== undefined && isInScope(scope, row);

const wasInScope = ({ organizationId, formerTags }: EdgeZoneRow, scope: Scope): boolean =>
  formerTags.some((tag) => isInScope(scope, { organizationId, tag }));

function publishZone(unit: Unit, { isForAll, ...zone }: PublishedZone): void {
  const { edgeZones, edgeDocuments } = unit.tables;
  const { id, tag, organizationId, document } = zone;
  if (document !== undefined)
    edgeDocuments.set(document.digest, {
      bytes: gzipSync(document.text),
      tag,
      organizationId,
      publishedAt: unit.now(),
    });
  const position = publication(unit);
  const described = document && { revision: zone.revision, digest: document.digest, hostnames: document.hostnames };
  for (const stage of isForAll ? edgeStages : (['canary'] as const)) {
    const before = edgeZones.get(rowKey(id, stage));
    keepAWhile(unit, before);
    edgeZones.set(rowKey(id, stage), {
      ...zone,
      stage,
      position,
      document: described,
      formerTags: [...new Set([...(before?.formerTags ?? []), tag])],
      isPending: stage === 'canary' && !isForAll,
      isHalted: false,
      publishedAt: unit.now(),
      appliedAt: undefined,
      currentSince: undefined,
    });
  }
}

/** Keeps a document that is replaced for a while from now on, for edges that are about to read it. */
function keepAWhile({ tables: { edgeDocuments }, now }: Unit, replaced: EdgeZoneRow | undefined): void {
  const digest = replaced?.document?.digest ?? '';
  const row = edgeDocuments.get(digest);
  if (row !== undefined) edgeDocuments.set(digest, { ...row, publishedAt: now() });
}

/** Changes that edges of the main stage are not offered yet. */
const pendingIn = ({ tables: { edgeZones }, now }: Unit): readonly PendingChange[] =>
  [...edgeZones.values()]
    .filter(({ isPending }) => isPending)
    .sort((one, other) => one.position - other.position)
    .map(({ id, tag, organizationId, position, isHalted, appliedAt }) => ({
      id,
      tag,
      organizationId,
      position,
      isHalted,
      soakedSeconds: appliedAt && secondsBetween(appliedAt, now()),
    }));

export const memoryRollouts = (unit: Unit): Rollouts => {
  const { edges, edgeStates, edgeZones } = unit.tables;
  return {
    canaries: (silentAfterSeconds) =>
      okAsync(
        [...edges.values()]
          .filter(({ edge }) => edge.stage === 'canary' && !edge.isDraining)
          .filter(({ edge }) => isConnected(unit, edge.id, silentAfterSeconds))
          .map(({ edge: { id, tags, organizations } }) => ({
            tags,
            organizations,
            applied: edgeStates.get(id)?.position ?? -1,
          })),
      ),
    pending: (limit) => okAsync(pendingIn(unit).slice(0, limit)),
    pendingOf: (zone) => okAsync(pendingIn(unit).find(({ id }) => id === zone)),
    promote: (zones) => {
      for (const id of zones) {
        const row = edgeZones.get(rowKey(id, 'canary'));
        if (row?.isPending !== true) continue;
        const before = edgeZones.get(rowKey(id, 'main'));
        keepAWhile(unit, before);
        const formerTags = [...new Set([...(before?.formerTags ?? []), row.tag])];
        const position = publication(unit);
        edgeZones.set(rowKey(id, 'main'), {
          ...row,
          stage: 'main',
          position,
          formerTags,
          isPending: false,
          isHalted: false,
          currentSince: undefined,
        });
        edgeZones.set(rowKey(id, 'canary'), { ...row, isPending: false, isHalted: false });
      }
      return okAsync();
    },
    offered: (zone) =>
      okAsync(
        edgeStages.flatMap((stage) => {
          const row = edgeZones.get(rowKey(zone, stage));
          if (row === undefined) return [];
          const { position, revision, document, isHalted, currentSince } = row;
          return [{ stage, position, revision, digest: document?.digest, isHalted, currentSince }];
        }),
      ),
    noteCurrent: (silentAfterSeconds) => {
      const connected = [...edges.values()]
        .map(({ edge }) => edge)
        .filter(({ id, isDraining }) => !isDraining && isConnected(unit, id, silentAfterSeconds));
      for (const [key, row] of edgeZones) {
        const lacks = ({ id, stage, ...scope }: Edge) =>
          stage === row.stage && isInScope(scope, row) && (edgeStates.get(id)?.position ?? -1) < row.position;
        if (row.currentSince === undefined && !connected.some(lacks))
          edgeZones.set(key, { ...row, currentSince: unit.now() });
      }
      return okAsync();
    },
  };
};

export const memoryZoneCredentials = ({ tables: { basicAuthUsers } }: Unit): ZoneCredentials => ({
  hashes: (zone) =>
    okAsync(
      new Map([...basicAuthUsers.values()].filter(({ zoneId }) => zoneId === zone).map(({ id, hash }) => [id, hash])),
    ),
});

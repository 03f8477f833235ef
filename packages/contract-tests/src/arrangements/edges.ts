import { createHash } from 'node:crypto';
import {
  EdgeId,
  EdgeName,
  type EdgeScope,
  type EdgeStage,
  type FeedPage,
  type FeedPosition,
  firstRound,
  HostName,
  type HostNameRules,
  type NewEdge,
  publishDue,
  rollOut,
  type StateReport,
  type Zone,
  type ZoneId,
  type ZonePlan,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { aTokenHash, aZoneName, unique, uuid } from '../builders/index.ts';
import { okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { applied } from './changes.ts';
import { storedZone } from './zones.ts';

/** An edge of the main stage that serves everything. */
export const anEdge = (given: Partial<NewEdge> = {}): NewEdge => ({
  id: EdgeId.parse(uuid()),
  name: EdgeName.parse(`edge-${unique()}`),
  tags: [],
  organizations: [],
  stage: 'main',
  tokenHash: aTokenHash(),
  lifetimeSeconds: 1000,
  ...given,
});

/** Stores an edge that has enrolled. */
export async function storedEdge(storage: Storage, given: Partial<NewEdge> = {}): Promise<NewEdge> {
  const edge = anEdge(given);
  await runUnit(storage, ({ edges }) => edges.add(edge));
  await runUnit(storage, ({ edges }) => edges.enrol(edge.tokenHash, aTokenHash()));
  return edge;
}

/** A report of an edge that serves a zone. */
export const aReport = (given: Partial<StateReport> = {}): StateReport => ({
  version: '1.0.0',
  semantics: 2,
  startedAt: '2026-01-01T00:00:00.000Z',
  zones: { applied: 1, rejected: [] },
  purged: 0,
  proxy: { kind: 'none', version: '' },
  unsupportedSettings: [],
  ...given,
});

/** Records a report. */
export const reported = (storage: Storage, { id }: Pick<NewEdge, 'id'>, given: Partial<StateReport> = {}) =>
  runUnit(storage, ({ edgeStates }) => edgeStates.record(id, aReport(given), 45));

const sha256 = (bytes: string): string => createHash('sha256').update(bytes, 'latin1').digest('hex');

/** Publishes all that is due. */
export async function publishAll(
  { unitOfWork }: Pick<Storage, 'unitOfWork'>,
  hostNameRules: HostNameRules = { own: undefined, verification: 'off' },
): Promise<void> {
  const publish = publishDue({
    unitOfWork,
    sha256,
    // For documents that are larger than those of these tests.
    checks: { checks: () => okAsync([]) },
    hostNameRules,
    addresses: { organization: String, originServer: ({ id }) => id },
    onFailure: (_, failure) => {
      throw failure;
    },
  });
  let batch = await okOf(publish(firstRound));
  while (!batch.isOver) batch = await okOf(publish(batch.round));
}

/** Offers edges of the main stage what they may have after the given number of seconds. */
export const rolledOut = ({ unitOfWork }: Pick<Storage, 'unitOfWork'>, soakSeconds = 30) =>
  okOf(rollOut({ unitOfWork, soakSeconds })());

/** What the feed has for an edge. */
export const changesFor = (
  storage: Storage,
  { stage = 'main', tags = [], organizations = [] }: Partial<EdgeScope & { readonly stage: EdgeStage }> = {},
  after?: FeedPosition,
  limit = 100,
): Promise<FeedPage> => {
  const reader = { id: EdgeId.parse(uuid()), name: EdgeName.parse('a'), stage, tags, organizations };
  return readView(storage, ({ edgeFeed }) => edgeFeed.changes(reader, after, limit));
};

/** A zone with a host name of its own. */
export const storedHost = (storage: Storage, given: Parameters<typeof storedZone>[1] = {}) => {
  const name = HostName.parse(`h${unique()}.example.com`);
  return storedZone(storage, { hostnames: [name], claims: [{ name, domain: undefined }], ...given });
};

/** A change of a zone's name, and of its tag if one is given. */
export const renamed =
  ({ tag }: Pick<Zone, 'tag'>) =>
  (): ZonePlan => ({ names: { name: aZoneName(), tag } });

/** Changes a zone; by default, its name. */
export const change = (storage: Storage, zone: Zone, plan: () => ZonePlan = renamed(zone)) =>
  runUnit(storage, (repositories) => applied(repositories, zone.id, plan));

/** The zones of a page. */
export const idsIn = ({ zones }: FeedPage): readonly ZoneId[] => zones.map(({ id }) => id);

/** Those that it removes. */
export const removalsIn = ({ zones }: FeedPage): readonly ZoneId[] =>
  zones.flatMap(({ id, document }) => (document === undefined ? [id] : []));

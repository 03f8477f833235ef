import { documentFormat } from '@zonewright/edge-protocol';
import { errAsync, ok, okAsync, ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import { hostNameDelivery } from '../../organizations/domains/delivery.ts';
import { coveringNames } from '../../organizations/domains/dns-names.ts';
import type { HostNameRules } from '../../organizations/domains/host-name-rules.ts';
import type { Domains } from '../../organizations/domains/ports.ts';
import { readBackends, type StoredBackends } from '../../zones/evaluation/backends.ts';
import { zoneNotFound } from '../../zones/zones/errors.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { isInScope, silentAfterSeconds } from './edge.ts';
import { type DocumentMaking, edgeDocument, type MadeDocument } from './edge-document.ts';
import type { Canary, DueZone, EdgeFeed, PublishedZone, PublishingRound, Rollouts, ZoneCredentials } from './ports.ts';

interface Repositories {
  readonly domains: Domains;
  readonly edgeFeed: EdgeFeed;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly rollouts: Rollouts;
  readonly zoneCredentials: ZoneCredentials;
  readonly zones: Zones;
}

/** Zones with host names that one unit publishes: each is read and compiled, and whoever has the next turn waits for all. */
const batch = 10;

/** What publishing needs. */
export interface Publishing extends DocumentMaking {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly hostNameRules: HostNameRules;
  /** Told of each zone whose document cannot be made; edges keep the one they have. */
  readonly onFailure: (zone: DueZone['id'], failure: unknown) => void;
}

/** How the first round of a process begins. */
export const firstRound: PublishingRound = { latest: undefined, turn: 0 };

/** What a batch has brought. */
export interface PublishedBatch {
  /** Where the round stands. */
  readonly round: PublishingRound;
  readonly isOver: boolean;
  /** Whether the feed has something new. */
  readonly isNews: boolean;
}

/** Publishes some of what is due. */
export const publishDue =
  (publishing: Publishing) =>
  (begun: PublishingRound): ResultAsync<PublishedBatch, never> =>
    publishing.unitOfWork.run((repositories) => publishBatch(begun, repositories, publishing));

const publishBatch = (
  begun: PublishingRound,
  repositories: Repositories,
  publishing: Publishing,
): ResultAsync<PublishedBatch, never> =>
  safeTry(async function* () {
    const { edgeFeed, rollouts } = repositories;
    const { zones, ...due } = yield* edgeFeed.due(batch, begun);
    if (due.marks.length === 0) return ok({ round: begun, isOver: true, isNews: false });
    const isStaged = zones.some(({ isNamed, digest }) => isNamed || digest !== undefined);
    const canaries = isStaged ? yield* rollouts.canaries(silentAfterSeconds) : [];
    // All states before any backends: those that a state names exist by then.
    const states: ReadZone[] = [];
    for (const due of zones) states.push({ due, state: yield* stateOf(due, repositories) });
    const sources = { repositories, canaries, backends: new Map<OrganizationId, StoredBackends>() };
    const published: PublishedZone[] = [];
    for (const read of states) published.push(...(yield* stateToPublish(read, sources, publishing)));
    const isMore = yield* edgeFeed.publish(published, due);
    return ok({ round: due.round, isOver: !isMore, isNews: published.length > 0 });
  });

/** Marks every zone to be published again if the format of documents differs from the last one. */
export const republishIfFormatChanged =
  ({ unitOfWork, hostNameRules, version }: Pick<Publishing, 'unitOfWork' | 'hostNameRules'> & { version: string }) =>
  (): ResultAsync<void, never> =>
    unitOfWork.run(({ edgeFeed }) =>
      edgeFeed.markAll(`${version} ${documentFormat.format}.${documentFormat.semantics} ${hostNameRules.verification}`),
    );

/** A due zone with everything in it, if it exists and has host names. */
interface ReadZone {
  readonly due: DueZone;
  readonly state: ZoneState | undefined;
}

const stateOf = (
  { isNamed, id }: DueZone,
  { zones }: Pick<Repositories, 'zones'>,
): ResultAsync<ZoneState | undefined, never> =>
  (isNamed ? zones.state(id) : errAsync(zoneNotFound()))
    .map((state): ZoneState | undefined => state)
    .orElse(() => okAsync(undefined));

/** What else the zones of a unit are made of; backends are read once for each organization. */
interface Sources {
  readonly repositories: Repositories;
  readonly canaries: readonly Canary[];
  readonly backends: Map<OrganizationId, StoredBackends>;
}

/** The zone as it is now, unless that is what edges have been offered. */
const stateToPublish = (
  { due, state }: ReadZone,
  sources: Sources,
  publishing: Publishing,
): ResultAsync<readonly PublishedZone[], never> => {
  const changed =
    state === undefined
      ? okAsync(removalOf(due))
      : currentDocument(state, sources, publishing).map((made) => changeOf(due, state, made));
  const isForAll = (zone: Omit<PublishedZone, 'isForAll'>) =>
    !sources.canaries.some((canary) => isInScope(canary, zone));
  return changed.map((zones) => zones.map((zone) => ({ ...zone, isForAll: isForAll(zone) })));
};

/** What edges are told of a zone that exists; nothing if they have been offered it. */
function changeOf(
  due: DueZone,
  { zone: { id, tag, organizationId, revision } }: ZoneState,
  made: Made | undefined | 'unmade',
): readonly Omit<PublishedZone, 'isForAll'>[] {
  if (made === 'unmade' || made?.document.digest === due.digest) return [];
  return [{ id, tag, organizationId, revision, document: made && { ...made.document, hostnames: made.hostnames } }];
}

/** What edges are told of a zone that is gone. */
const removalOf = ({ id, digest, tag, organizationId }: DueZone): readonly Omit<PublishedZone, 'isForAll'>[] =>
  digest === undefined || tag === undefined || organizationId === undefined
    ? []
    : [{ id, tag, organizationId, revision: 0, document: undefined }];

type Made = { readonly document: MadeDocument; readonly hostnames: ZoneState['zone']['hostnames'] };

/** The document of a zone; undefined if it has no host name that is delivered. */
const currentDocument = (
  state: ZoneState,
  sources: Sources,
  { hostNameRules, onFailure, ...making }: Publishing,
): ResultAsync<Made | undefined | 'unmade', never> =>
  safeTry(async function* () {
    const { id, organizationId, hostnames: named } = state.zone;
    if (named.length === 0) return ok(undefined);
    const names = [...new Set(named.flatMap(coveringNames))];
    const { repositories } = sources;
    const domains = yield* repositories.domains.named(organizationId, names);
    const delivered = hostNameDelivery(named, domains, hostNameRules).filter((each) => each.delivered);
    const hostnames = delivered.map(({ name }) => name);
    if (hostnames.length === 0) return ok(undefined);
    const backends = yield* backendsOf(sources, organizationId);
    const hashes = state.users.length === 0 ? new Map() : yield* repositories.zoneCredentials.hashes(id);
    const made = await ResultAsync.fromPromise(
      edgeDocument({ state, hostnames, hashes, ...backends }, making),
      (failure) => failure,
    );
    // One zone must not hold up the others.
    return made
      .orTee((failure) => onFailure(id, failure))
      .map((document): Made | 'unmade' => ({ hostnames, document }))
      .orElse(() => ok('unmade' as const));
  });

function backendsOf(
  { repositories, backends }: Sources,
  organization: OrganizationId,
): ResultAsync<StoredBackends, never> {
  const known = backends.get(organization);
  if (known !== undefined) return okAsync(known);
  return readBackends(repositories, organization).andTee((read) => backends.set(organization, read));
}

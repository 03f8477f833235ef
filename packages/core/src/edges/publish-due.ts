import { errAsync, ok, okAsync, Result, type ResultAsync, safeTry } from 'neverthrow';
import type { LoadBalancer } from '../backends/load-balancer.ts';
import type { OriginServer } from '../backends/origin-server.ts';
import { hostNameDelivery } from '../domains/delivery.ts';
import { coveringNames } from '../domains/host-name.ts';
import type { Dependencies, Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { usageLimits } from '../usage-limits/usage-limits.ts';
import { zoneNotFound } from '../zones/errors.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { isInScope, silentAfterSeconds } from './edge.ts';
import { type DocumentAddresses, documentFormat, edgeDocument, type MadeDocument } from './edge-document.ts';
import type { Canary, DueZone, PublishedZone } from './ports.ts';

/** Zones with host names that one unit publishes: each is read and compiled. */
const batch = 25;

/** What publishing needs. */
export interface Publishing extends Pick<Dependencies, 'unitOfWork' | 'sha256' | 'hostNameRules'> {
  readonly addresses: DocumentAddresses;
  /** Told of each zone whose document cannot be made; edges keep the one they have. */
  readonly onFailure: (zone: DueZone['id'], failure: unknown) => void;
}

/** Publishes some of what is due; resolves to whether there was anything. */
export const publishDue = (publishing: Publishing) => (): ResultAsync<'done' | 'nothing due', never> =>
  publishing.unitOfWork.run((repositories) =>
    safeTry(async function* () {
      const { edgeFeed, rollouts } = repositories;
      const { zones, marks } = yield* edgeFeed.due(batch);
      if (marks.length === 0) return ok('nothing due' as const);
      const isStaged = zones.some(({ isNamed, digest }) => isNamed || digest !== undefined);
      const canaries = isStaged ? yield* rollouts.canaries(silentAfterSeconds) : [];
      const published: PublishedZone[] = [];
      for (const due of zones) published.push(...(yield* stateToPublish(due, canaries, repositories, publishing)));
      yield* edgeFeed.publish(published, marks);
      return ok('done' as const);
    }),
  );

/** Marks every zone, if documents are made in another way than last time. */
export const markIfMadeDifferently =
  ({ unitOfWork, hostNameRules, version }: Pick<Publishing, 'unitOfWork' | 'hostNameRules'> & { version: string }) =>
  (): ResultAsync<void, never> =>
    unitOfWork.run(({ edgeFeed }) =>
      edgeFeed.markAll(`${version} ${documentFormat.format}.${documentFormat.semantics} ${hostNameRules.verification}`),
    );

/** The zone as it is now, unless that is what edges have been offered. */
const stateToPublish = (
  due: DueZone,
  canaries: readonly Canary[],
  repositories: Repositories,
  publishing: Publishing,
): ResultAsync<readonly PublishedZone[], never> =>
  (due.isNamed ? repositories.zones.state(due.id) : errAsync(zoneNotFound()))
    .map((state): ZoneState | undefined => state)
    .orElse(() => okAsync(undefined))
    .andThen((state) =>
      state === undefined
        ? okAsync(removalOf(due))
        : currentDocument(state, repositories, publishing).map((made) => {
            if (made === 'unmade' || made?.document.digest === due.digest) return [];
            const { id, tag, organizationId, revision } = state.zone;
            return [
              { id, tag, organizationId, revision, document: made && { ...made.document, hostnames: made.hostnames } },
            ];
          }),
    )
    .map((zones) => zones.map((zone) => ({ ...zone, isForAll: !canaries.some((canary) => isInScope(canary, zone)) })));

/** What edges are told of a zone that is gone. */
const removalOf = ({ id, digest, tag, organizationId }: DueZone): readonly Omit<PublishedZone, 'isForAll'>[] =>
  digest === undefined || tag === undefined || organizationId === undefined
    ? []
    : [{ id, tag, organizationId, revision: 0, document: undefined }];

type Made = { readonly document: MadeDocument; readonly hostnames: ZoneState['zone']['hostnames'] };

/** The document of a zone; undefined if it has no host name that is delivered. */
const currentDocument = (
  state: ZoneState,
  repositories: Repositories,
  { hostNameRules, addresses, sha256, onFailure }: Publishing,
): ResultAsync<Made | undefined | 'unmade', never> =>
  safeTry(async function* () {
    const { id, organizationId, hostnames: named } = state.zone;
    if (named.length === 0) return ok(undefined);
    const names = [...new Set(named.flatMap(coveringNames))];
    const domains = yield* repositories.domains.named(organizationId, names);
    const delivered = hostNameDelivery(named, domains, hostNameRules).filter((each) => each.delivered);
    const hostnames = delivered.map(({ name }) => name);
    if (hostnames.length === 0) return ok(undefined);
    const backends = yield* backendsOf(repositories, organizationId);
    const hashes = state.users.length === 0 ? new Map() : yield* repositories.zoneCredentials.hashes(id);
    const made = Result.fromThrowable(
      () => edgeDocument({ state, hostnames, hashes, ...backends }, { addresses, sha256 }),
      (failure) => failure,
    )();
    // One zone must not hold up the others.
    return made
      .orTee((failure) => onFailure(id, failure))
      .map((document): Made | 'unmade' => ({ hostnames, document }))
      .orElse(() => ok('unmade' as const));
  });

const everything = { page: 1, itemsPerPage: usageLimits.backends.ceiling };

const backendsOf = (
  { originServers, loadBalancers }: Repositories,
  organization: OrganizationId,
): ResultAsync<{ originServers: readonly OriginServer[]; loadBalancers: readonly LoadBalancer[] }, never> =>
  originServers
    .list(organization, everything)
    .andThen((servers) =>
      loadBalancers
        .list(organization, everything)
        .map((balancers) => ({ originServers: servers.items, loadBalancers: balancers.items })),
    );

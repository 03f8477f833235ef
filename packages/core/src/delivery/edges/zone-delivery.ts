import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type HostNameDelivery, hostNameDelivery } from '../../organizations/domains/delivery.ts';
import { coveringNames } from '../../organizations/domains/dns-names.ts';
import type { HostNameRules } from '../../organizations/domains/host-name-rules.ts';
import type { Domains } from '../../organizations/domains/ports.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { silentAfterSeconds } from './edge.ts';
import type { EdgeStates, OfferedRevision, Publications, Rollouts, ServingEdge } from './ports.ts';
import { unsupportedIn } from './unsupported-settings.ts';

interface Repositories {
  readonly domains: Domains;
  readonly edgeStates: EdgeStates;
  readonly rollouts: Rollouts;
  readonly zones: Zones;
}

/** How an edge stands with a zone. */
export type Standing = 'current' | 'behind' | 'rejected' | 'silent';

/** Something that keeps an edge from doing what the zone says. */
export interface DeliveryProblem {
  readonly edge: string;
  readonly code: string;
  readonly message: string;
  readonly revision: number;
}

/** How far the present revision of a zone has come. */
export interface ZoneDelivery {
  readonly zoneId: ZoneId;
  readonly revision: number;
  readonly edges: Readonly<Record<Standing | 'total', number>>;
  /** Since when all connected edges have had the revision; undefined: one has not, or none is connected. */
  readonly currentSince: Date | undefined;
  /** Whether a canary edge has rejected the revision, so that no other is offered it. */
  readonly isHalted: boolean;
  readonly hostnames: readonly HostNameDelivery[];
  readonly problems: readonly DeliveryProblem[];
}

/** Whether to wait until connected edges have a revision, and how long. */
export interface DeliveryQuestion {
  /** Undefined: the present one. */
  readonly revision: number | undefined;
  readonly waitSeconds: number;
}

type Ports = {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly hostNameRules: HostNameRules;
  readonly publications: Publications;
};

/** How far a zone has come, now or as soon as every connected edge has applied or rejected a revision. */
export const readDelivery =
  ({ unitOfWork, hostNameRules, publications }: Ports) =>
  (
    caller: Caller,
    id: ZoneId,
    { revision, waitSeconds }: DeliveryQuestion,
  ): ResultAsync<ZoneDelivery, ZoneAccessError> => {
    const waiting = publications.wait(`${caller.userId} ${id}`, waitSeconds, 'reports');
    return safeTry(async function* () {
      const read = () =>
        unitOfWork.view((repositories) => deliveryFor(repositories, caller, id, { hostNameRules, revision }));
      let given = yield* read();
      while (!given.isSettled && (yield* waiting.next())) given = yield* read();
      return ok(given.delivery);
    })
      .andTee(() => waiting.end())
      .orTee(() => waiting.end());
  };

const deliveryFor = (
  repositories: Repositories,
  caller: Caller,
  id: ZoneId,
  { hostNameRules, revision }: Pick<Ports, 'hostNameRules'> & Pick<DeliveryQuestion, 'revision'>,
): ResultAsync<{ readonly delivery: ZoneDelivery; readonly isSettled: boolean }, ZoneAccessError> =>
  safeTry(async function* () {
    const { zones, domains, edgeStates, rollouts } = repositories;
    yield* mayReadZone(repositories, caller, id);
    const state = yield* zones.state(id);
    const { hostnames, organizationId } = state.zone;
    const covering = yield* domains.named(organizationId, [...new Set(hostnames.flatMap(coveringNames))]);
    const offered = yield* rollouts.offered(id);
    const serving = yield* edgeStates.serving(state.zone, silentAfterSeconds);
    const names = hostNameDelivery(hostnames, covering, hostNameRules);
    const delivery = deliveryOf(state, { offered, serving, names });
    return ok({ delivery, isSettled: isSettled(revision ?? state.zone.revision, { offered, serving, names }) });
  });

/** What the delivery of a zone is counted from. */
export interface Delivered {
  readonly offered: readonly OfferedRevision[];
  readonly serving: readonly ServingEdge[];
  readonly names: readonly HostNameDelivery[];
}

/** Counts the edges of a zone by how they stand with its present revision. */
export function deliveryOf(state: ZoneState, { offered, serving, names }: Delivered): ZoneDelivery {
  const { id, revision } = state.zone;
  const isServed = names.some(({ delivered }) => delivered);
  const standings = serving.map((edge) => standingOf(edge, { revision, offered, isServed }));
  const count = (standing: Standing) => standings.filter((each) => each === standing).length;
  const isCurrent = count('current') > 0 && count('current') + count('silent') === serving.length;
  return {
    zoneId: id,
    revision,
    edges: {
      total: serving.length,
      current: count('current'),
      behind: count('behind'),
      rejected: count('rejected'),
      silent: count('silent'),
    },
    currentSince: isCurrent ? currentSince(serving, offered) : undefined,
    isHalted: offered.some(({ isHalted }) => isHalted),
    hostnames: names,
    problems: serving.flatMap((edge) => [...rejectionsOf(edge, offered), ...unsupportedBy(edge, state)]),
  };
}

/** When the last stage that connected edges belong to became current. */
function currentSince(serving: readonly ServingEdge[], offered: readonly OfferedRevision[]): Date | undefined {
  const stages = new Set(serving.flatMap(({ isConnected, stage }) => (isConnected ? [stage] : [])));
  const concerned = offered.filter(({ stage }) => stages.has(stage));
  const times = concerned.flatMap((each) => each.currentSince ?? []);
  const isNoted = times.length === concerned.length;
  return isNoted ? times.toSorted((one, other) => other.getTime() - one.getTime())[0] : undefined;
}

interface Wanted {
  readonly revision: number;
  readonly offered: readonly OfferedRevision[];
  readonly isServed: boolean;
}

/** A revision without a document, because no host name is delivered, is in effect once the zone is removed. */
function standingOf(edge: ServingEdge, { revision, offered, isServed }: Wanted): Standing {
  if (!edge.isConnected) return 'silent';
  const own = offered.find(({ stage }) => stage === edge.stage);
  if (own === undefined) return isServed ? 'behind' : 'current';
  const isOfferedIt = isServed ? own.digest !== undefined && own.revision >= revision : own.digest === undefined;
  if (!isOfferedIt || edge.applied < own.position) return 'behind';
  return edge.rejected !== undefined && edge.rejected.digest === own.digest ? 'rejected' : 'current';
}

/** Whether every connected edge has applied or rejected the revision or a newer one. */
const isSettled = (revision: number, { offered, serving, names }: Delivered): boolean => {
  const isServed = names.some(({ delivered }) => delivered);
  return serving.every((edge) => standingOf(edge, { revision, offered, isServed }) !== 'behind');
};

const rejectionsOf = (
  { name, stage, rejected }: ServingEdge,
  offered: readonly OfferedRevision[],
): readonly DeliveryProblem[] => {
  const own = offered.find((each) => each.stage === stage);
  if (rejected === undefined || own === undefined || own.digest !== rejected.digest) return [];
  return [{ edge: name, code: rejected.code, message: rejected.message, revision: own.revision }];
};

const unsupportedBy = (
  { name, isConnected, unsupportedSettings }: ServingEdge,
  state: ZoneState,
): readonly DeliveryProblem[] =>
  isConnected
    ? unsupportedIn(state, unsupportedSettings).map((setting) => ({
        edge: name,
        code: 'setting.unsupported',
        message: `The edge cannot act on "${setting}".`,
        revision: state.zone.revision,
      }))
    : [];

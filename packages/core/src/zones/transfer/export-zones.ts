import { ok, type ResultAsync, safeTry } from 'neverthrow';
import { defect } from '../../kernel/shared/failures.ts';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type LoadBalancer, loadBalancerDocument } from '../../organizations/backends/load-balancer.ts';
import { type OriginServer, originServerDocument } from '../../organizations/backends/origin-server.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import type { OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import { documentOf } from '../history/zone-document.ts';
import { ruleKindNames } from '../rule-kinds/rule-lists.ts';
import { referencesOf } from '../rules/rule-validity.ts';
import { backendsIn } from '../settings/references.ts';
import type { ZoneNotFound } from '../zones/errors.ts';
import type { ZoneSort, Zones } from '../zones/ports.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { TransferDocument } from './transfer-document.ts';

interface Repositories {
  readonly loadBalancers: LoadBalancers;
  readonly organizations: Organizations;
  readonly originServers: OriginServers;
  readonly zones: Zones;
}

/** The zone or organization does not exist (any longer). */
export type ExportError = ZoneNotFound | OrganizationNotFound;

/** Exports a zone with the backends it uses. */
export const exportZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (zone: ZoneId): ResultAsync<TransferDocument, ExportError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const state = yield* repositories.zones.state(zone);
        const { origins, balancers } = yield* backendsOf(repositories, state.zone.organizationId);
        const used = new Set(backendsUsedBy(state).map(({ id }) => id));
        const usedBalancers = balancers.filter(({ id }) => used.has(id));
        for (const { originServer } of usedBalancers.flatMap((balancer) => balancer.origins)) used.add(originServer);
        const behind = origins.filter(({ id }) => used.has(id));
        return exported(repositories, state.zone.organizationId, {
          origins: behind,
          balancers: usedBalancers,
          zones: [state],
        });
      }),
    );

/** By name, so that documents of the same zones can be compared, in whatever order they were created. */
const order: readonly ZoneSort[] = [
  { key: 'name', direction: 'asc' },
  { key: 'tag', direction: 'asc' },
];

/**
 * Exports all zones and backends of an organization. The set of zones is fixed meanwhile; each zone is a consistent
 * snapshot.
 */
export const exportOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (organization: OrganizationId): ResultAsync<TransferDocument, ExportError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.organizations.lock(organization);
        const filter = { organizations: [organization], tags: [], search: undefined };
        const listed = yield* everyPage(1, (page) =>
          repositories.zones.list(filter, order, page).orElse(() => defect('A page of one zone is too large.')),
        );
        const zones: ZoneState[] = [];
        for (const { id } of listed) zones.push(yield* repositories.zones.state(id));
        return exported(repositories, organization, { ...(yield* backendsOf(repositories, organization)), zones });
      }),
    );

interface Parts {
  readonly origins: readonly OriginServer[];
  readonly balancers: readonly LoadBalancer[];
}

const exported = (
  { organizations }: Pick<Repositories, 'organizations'>,
  id: OrganizationId,
  { origins, balancers, zones }: Parts & { readonly zones: readonly ZoneState[] },
): ResultAsync<TransferDocument, OrganizationNotFound> =>
  organizations.byId(id).map(({ name }) => ({
    format: 'zonewright-export',
    version: 1,
    organization: name,
    originServers: Object.fromEntries(origins.map((server) => [server.id, originServerDocument(server)])),
    loadBalancers: Object.fromEntries(balancers.map((balancer) => [balancer.id, loadBalancerDocument(balancer)])),
    zones: zones.map((state) => documentOf(state, state.users)),
  }));

const backendsUsedBy = ({ zone, rules }: ZoneState) => {
  const contents = ruleKindNames.flatMap((kind) => rules[kind].map(({ content }) => content.value));
  return backendsIn([zone.settings.value, ...referencesOf(contents)]);
};

const backendsOf = (
  { originServers, loadBalancers }: Pick<Repositories, 'originServers' | 'loadBalancers'>,
  organization: OrganizationId,
): ResultAsync<Parts, never> =>
  everyPage(100, (page) => originServers.list(organization, page)).andThen((origins) =>
    everyPage(100, (page) => loadBalancers.list(organization, page)).map((balancers) => ({ origins, balancers })),
  );

/** All items of a list, read page by page. */
const everyPage = <T>(
  itemsPerPage: number,
  read: (page: PageRequest) => ResultAsync<Page<T>, never>,
): ResultAsync<readonly T[], never> =>
  safeTry(async function* () {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const { items, totalItems } = yield* read({ page, itemsPerPage });
      found.push(...items);
      if (items.length === 0 || found.length >= totalItems) return ok(found);
    }
  });

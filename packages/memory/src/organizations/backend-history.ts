import {
  anyOriginNetwork,
  type BackendHistory,
  type BackendId,
  type BackendOfOrganization,
  type BackendRevisionSummary,
  type JsonObject,
  LoadBalancerDraft,
  originServerDraftIn,
  revisionNotFound,
  type UserId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import type { BackendRevisionRow } from '../tables/zone-rows.ts';

export const memoryBackendHistory = ({ tables }: Unit): BackendHistory => {
  const { backendRevisions, revisions } = tables;
  const of = ({ organizationId, kind, id }: BackendOfOrganization) =>
    (backendRevisions.get(id) ?? []).filter(
      ({ backend }) => backend.organizationId === organizationId && backend.kind === kind,
    );
  return {
    list: (backend, page) => okAsync(pageOf(of(backend).map(summaryOf).toReversed(), page)),
    byNumber: (backend, wanted) => {
      const revision = of(backend).find(({ number }) => number === wanted);
      if (revision === undefined) return errAsync(revisionNotFound());
      const before = of(backend).find(({ number }) => number === wanted - 1)?.state ?? {};
      return okAsync({ ...summaryOf(revision), before, state: revision.state });
    },
    asOf: ({ id, organizationId }, moment, backends) => {
      const wanted = 'whenMade' in moment ? moment.whenMade : moment.lastDuring + 1;
      const until = revisions.get(id)?.find(({ number }) => number === wanted)?.commit ?? Number.POSITIVE_INFINITY;
      const states = statesUntil(tables, organizationId, until);
      const loadBalancers = backends.flatMap((each) => states.loadBalancers.get(each) ?? []);
      const behind = loadBalancers.flatMap(({ origins }) => origins.map(({ originServer }) => originServer));
      const originServers = [...new Set([...backends, ...behind])].flatMap(
        (each) => states.originServers.get(each) ?? [],
      );
      return okAsync({ originServers, loadBalancers });
    },
  };
};

/** Adds a revision for the new state of a backend; does nothing once it is deleted. */
export function recordBackend(
  { tables: { backendRevisions }, now, commit }: Unit,
  { organizationId, kind, id }: BackendOfOrganization,
  author: UserId | undefined,
  state: JsonObject | undefined,
): void {
  const before = backendRevisions.get(id) ?? [];
  const what = kind === 'origin_server' ? 'originServer' : 'loadBalancer';
  const row: BackendRevisionRow = {
    backend: { organizationId, kind, id },
    number: before.length + 1,
    action: state === undefined ? `${what}.deleted` : before.length === 0 ? `${what}.created` : `${what}.changed`,
    author,
    createdAt: now(),
    state: state ?? {},
    commit,
  };
  backendRevisions.set(id, [...before, row]);
}

/** The state of an organization's backends after a commit. */
function statesUntil(
  { backendRevisions }: Tables,
  organizationId: BackendOfOrganization['organizationId'],
  until: number,
) {
  const states = [...backendRevisions.values()].flatMap((rows) => {
    const last = rows.findLast(({ commit }) => commit <= until);
    const exists = last?.backend.organizationId === organizationId && !last.action.endsWith('.deleted');
    return exists ? [last] : [];
  });
  const byId = <Draft>(kind: BackendOfOrganization['kind'], parse: (state: JsonObject) => Draft) =>
    new Map(
      states
        .filter(({ backend }) => backend.kind === kind)
        .map(
          ({ backend: { id }, state }): [BackendId, Draft & Pick<BackendOfOrganization, 'id' | 'organizationId'>] => [
            id,
            { id, organizationId, ...parse(state) },
          ],
        ),
    );
  return {
    originServers: byId('origin_server', (state) => StoredOriginServer.parse(state)),
    loadBalancers: byId('load_balancer', (state) => LoadBalancerDraft.parse(state)),
  };
}

/** The installation allowed the address when it was written. */
const StoredOriginServer = originServerDraftIn(anyOriginNetwork);

const summaryOf = ({ state: _, commit: __, ...summary }: BackendRevisionRow): BackendRevisionSummary => summary;

import {
  type BackendHistory,
  type BackendId,
  type BackendKind,
  type BackendOfOrganization,
  type BackendRevision,
  type BackendRevisionSummary,
  type JsonObject,
  type LoadBalancerDraft,
  type OriginServerDraft,
  revisionNotFound,
  type UserId,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { itemOf, many, pageOf, type RowOf, required } from '../connection/query.ts';
import { sql } from '../sql.ts';

type SummaryRow = RowOf<Omit<BackendRevisionSummary, 'backend'>>;
type RevisionRow = SummaryRow & { readonly before: JsonObject | null; readonly state: JsonObject | null };
type StateRow = { readonly id: BackendId } & (
  | { readonly kind: 'origin_server'; readonly state: OriginServerDraft }
  | { readonly kind: 'load_balancer'; readonly state: LoadBalancerDraft }
);

export const postgresBackendHistory = (on: Connection): BackendHistory => ({
  list: (backend, page) =>
    pageOf(on, sql.backendHistory, { ...backend }, page, (row: SummaryRow) => summaryOf(backend, row)),
  byNumber: (backend, number) =>
    required<RevisionRow>(on, sql.backendHistory.byNumber, { ...backend, number })
      .mapErr(revisionNotFound)
      .map(
        ({ before, state, ...row }): BackendRevision => ({
          ...summaryOf(backend, row),
          before: before ?? {},
          state: state ?? {},
        }),
      ),
  asOf: ({ id: zone, organizationId }, moment, backends) =>
    many<StateRow>(on, sql.backendHistory.asOf, {
      zone,
      organization: organizationId,
      number: 'whenMade' in moment ? moment.whenMade : moment.lastDuring + 1,
      backends,
    }).map((rows) => ({
      originServers: rows.flatMap(({ id, kind, state }) =>
        kind === 'origin_server'
          ? [{ id, organizationId, ...state, requestHostname: state.requestHostname ?? undefined }]
          : [],
      ),
      loadBalancers: rows.flatMap(({ id, kind, state }) =>
        kind === 'load_balancer'
          ? [{ id, organizationId, ...state, requestHostname: state.requestHostname ?? undefined }]
          : [],
      ),
    })),
});

const summaryOf = (backend: BackendOfOrganization, row: SummaryRow): BackendRevisionSummary => ({
  backend,
  ...itemOf<Omit<BackendRevisionSummary, 'backend'>>(row),
});

/** The kind of change in a backend's history. */
export type RecordedVerb = 'created' | 'changed' | 'deleted';

/** The history entry written along with a change of a backend. */
export interface RecordedBackend {
  readonly kind: BackendKind;
  readonly action: string;
  readonly author: UserId | null;
  readonly state: string | null;
}

const names = { origin_server: 'originServer', load_balancer: 'loadBalancer' } as const;

/** The history entry for a new state; null after deletion. */
export const recordedBackend = (
  kind: BackendKind,
  verb: RecordedVerb,
  author: UserId | undefined,
  document: object | undefined,
): RecordedBackend => ({
  kind,
  action: `${names[kind]}.${verb}`,
  author: author ?? null,
  state: document === undefined ? null : JSON.stringify(document),
});

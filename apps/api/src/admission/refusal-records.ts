import type { ApiError } from '@zonewright/api-description';
import {
  type AuditAction,
  type Caller,
  type ConcernedOrganization,
  OrganizationId,
  type RateLimiter,
  type RecordRefusal,
  ZoneId,
} from '@zonewright/core';
import type { NewestEntries } from '@zonewright/gate';
import { okAsync, ResultAsync } from 'neverthrow';
import { z } from 'zod';
import { refusalAction } from '../errors/audited-refusals.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';

/** What recording refusals needs. */
export interface RefusalRecords {
  readonly limiter: RateLimiter;
  /** When the windows of refusals that this process knows to be recorded end, in `performance.now()` time. */
  readonly recordedRefusals: NewestEntries<number>;
  readonly recordRefusal: RecordRefusal;
  readonly concernedOrganization: ConcernedOrganization;
}

/**
 * Anyone can be rejected for lack of points or of a caller again and again, so only the first time per network, route
 * and window is audited.
 */
const recordLimit = { name: 'refusal-record', points: 1, seconds: 15 * 60 } as const;

/**
 * This many refusals of a member, or of all strangers together, appear in the log of an organization per window; further
 * ones only in that of the installation.
 */
const organizationLimit = { name: 'refusal-in-organization', points: 20, seconds: 15 * 60 } as const;

/** Refusals that tell owners about attempts on what is theirs. */
const ofOrganizations: ReadonlySet<AuditAction> = new Set([
  'access.denied',
  'access.readOnlyWriteRefused',
  'access.sessionRequired',
]);

/** Audits rejections that matter. `segments` are those of the path. */
export function auditRejection(
  { caller, client, target }: Exchange,
  route: Pick<Route, 'path' | 'params'>,
  segments: Readonly<Record<string, string>>,
  error: ApiError,
  records: RefusalRecords,
): ResultAsync<void, never> {
  const { limiter, recordedRefusals, recordRefusal } = records;
  const action = refusalAction(error, caller);
  if (action === undefined) return okAsync();
  const ids = idsIn(route.params, segments);
  const token = error.type === 'ForeignNetwork' ? { apiToken: error.apiToken } : {};
  const objects = { route: route.path, ...ids, ...token };
  if (caller !== undefined && error.type !== 'TooManyRequests') {
    return organizationOf(caller, action, namedIn(route.path, ids), records).andThen((organization) =>
      recordRefusal(caller, client, action, objects, organization),
    );
  }
  const parts = [client.network, route.path, action];
  const name = parts.join(' ');
  if ((recordedRefusals.get(name) ?? 0) > performance.now()) return okAsync();
  return ResultAsync.fromSafePromise(limiter.take([{ ...recordLimit, parts }])).andThen(([status]) => {
    if (status === undefined) return okAsync();
    recordedRefusals.set(name, performance.now() + status.resetSeconds * 1000);
    return status.isExceeded
      ? okAsync()
      : target().andThen((account) => recordRefusal(caller ?? account, client, action, objects));
  });
}

/** The valid ids among the path segments. Other segments may hold arbitrary text, which must not be recorded. */
const idsIn = (
  { schema }: Pick<Route['params'], 'schema'>,
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(schema?.shape ?? {}).flatMap(([name, segment]) => {
      const id = z.safeParse(segment, raw[name]);
      return id.success ? [[name, String(id.data)]] : [];
    }),
  );

/** The organization in whose log the refusal appears. */
const organizationOf = (
  caller: Caller,
  action: AuditAction,
  named: Parameters<ConcernedOrganization>[1],
  { limiter, concernedOrganization }: RefusalRecords,
): ResultAsync<OrganizationId | undefined, never> => {
  if (!ofOrganizations.has(action)) return okAsync(undefined);
  return concernedOrganization(caller, named).andThen((concern) => {
    if (concern === undefined) return okAsync(undefined);
    const { organization, isMember } = concern;
    const budget = { ...organizationLimit, parts: [String(organization), isMember ? caller.userId : 'strangers'] };
    return ResultAsync.fromSafePromise(limiter.take([budget])).map(([status]) =>
      status?.isExceeded === false ? organization : undefined,
    );
  });
};

/** The organization or zone that a path begins with; its id is the first one. */
function namedIn(path: string, ids: Readonly<Record<string, string>>): Parameters<ConcernedOrganization>[1] {
  const [, collection, name] = /^\/api\/(organizations|zones)\/:(\w+)/.exec(path) ?? [];
  const id = ids[name ?? ''];
  if (collection === 'organizations') return { organization: OrganizationId.safeParse(Number(id)).data };
  return { zone: ZoneId.safeParse(id).data };
}

import type { Access, ApiError, RoutePermission } from '@zonewright/api-description';
import type { Caller, EdgeIdentity, JsonObject, SessionCaller } from '@zonewright/core';
import { ok, type Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { Answer } from './answer.ts';
import type { BodyShape, JsonBody } from './body.ts';
import type { Limit } from './limits.ts';
import { noParameters } from './query.ts';
import { defaults, type Input, negotiated, type PathParameters, type RouteData, type Row } from './route-row.ts';

/** A row of any types. */
type AnyRow = Row<Caller | undefined, unknown, z.ZodObject, unknown, unknown>;

/** The input of any route; its row knows the types of the parts. */
export type AnyInput = Parameters<AnyRow['run']>[0];

/** A route as the pipeline in `handler.ts` runs it: the row's type parameters are closed. */
export interface Route
  extends RouteData,
    Pick<AnyRow, 'subject' | 'permitted' | 'failedCredential' | 'limits' | 'target' | 'prepare'> {
  readonly access: Access;
  readonly readsBody: 'required' | 'optional' | 'never';
  readonly bodyShape: BodyShape;
  readonly needsPrecondition: boolean;
  readonly query: z.ZodObject;
  /** Whether a retry with the same `Idempotency-Key` gets the original response. */
  readonly isReplayable: boolean;
  /** Whether it has limits of its own besides the general per-caller limit. */
  readonly isLimited: boolean;
  readonly params: PathParameters<unknown>;
  readonly checkBody: (body: JsonBody, params: unknown) => Result<unknown, ApiError>;
  readonly answer: (input: AnyInput) => ResultAsync<Answer, ApiError>;
}

/** A route that needs no credential. */
export const publicRoute = <P, Q extends z.ZodObject, B, T>(row: Row<undefined, P, Q, B, T>): Route =>
  close({ ...row, permission: 'public' }, 'public');

/**
 * A route for callers with a live credential. If its permission is `session`, the use case refuses API tokens, but only
 * once it is known that the resource exists and the role allows the request.
 */
export const protectedRoute = <P, Q extends z.ZodObject, B, T>(
  row: Row<Caller, P, Q, B, T> & { readonly permission: Exclude<RoutePermission, 'public'> },
): Route => close(row, 'protected');

/** A route for signed-in users: API tokens are rejected. */
export const sessionRoute = <P, Q extends z.ZodObject, B, T>(row: Row<SessionCaller, P, Q, B, T>): Route =>
  close({ ...row, permission: 'session' }, 'session');

/** A route for edges: no other credential opens it, and an edge's key opens no other. */
export const edgeRoute = <P, Q extends z.ZodObject, B, T>({ run, limits, ...row }: EdgeRow<P, Q, B, T>): Route =>
  close<undefined, P, Q, B, T>(
    {
      ...row,
      permission: 'session',
      limits: (input) => limits(authenticatedEdge(input)),
      run: (input) => run({ ...input, edge: authenticatedEdge(input) }),
    },
    'edge',
  );

/** A row whose requests come from an edge. */
interface EdgeRow<P, Q extends z.ZodObject, B, T> extends Omit<Row<undefined, P, Q, B, T>, 'run' | 'limits'> {
  readonly limits: (edge: EdgeIdentity) => readonly Limit[];
  readonly run: (
    input: Input<undefined, P, z.output<Q>, B> & { readonly edge: EdgeIdentity },
  ) => ReturnType<Row<undefined, P, Q, B, T>['run']>;
}

function authenticatedEdge({ edge }: Pick<AnyInput, 'edge'>): EdgeIdentity {
  if (edge === undefined) throw new Error('The request of an edge was not authenticated.');
  return edge;
}

const close = <C, P, Q extends z.ZodObject, B, T>(
  row: Row<C, P, Q, B, T> & { readonly permission: RoutePermission },
  access: Access,
): Route => {
  // The pipeline produces every part of the input with this row's own functions, and admits only callers that it accepts.
  const any = row as unknown as AnyRow & Pick<RouteData, 'permission'>;
  return {
    ...defaults,
    ...negotiated(any),
    ...any,
    access,
    query: any.query ?? noParameters,
    readsBody: readsBody(row.body !== undefined || row.bodyOrArray !== undefined, row.bodyOptional === true),
    bodyShape: row.bodyOrArray === undefined ? 'object' : 'object or array',
    needsPrecondition: row.precondition === 'required',
    isReplayable: row.method === 'post' && access !== 'public' && access !== 'edge' && row.idempotencyKey !== 'ignored',
    isLimited: row.limits !== undefined || row.failedCredential !== undefined,
    params: any.params ?? (() => ok(undefined)),
    checkBody: (body, params) =>
      // The body has the shape this row accepts.
      any.bodyOrArray?.(body, params) ?? any.body?.(body as JsonObject, params) ?? ok(undefined),
    answer: (input) => any.run(input).map((output) => ({ status: row.answers.status, ...any.present(output, input) })),
  };
};

const readsBody = (reads: boolean, optional: boolean): Route['readsBody'] => {
  if (!reads) return 'never';
  return optional ? 'optional' : 'required';
};

import {
  type Access,
  type AnswerDescription,
  type ApiError,
  type BodyDescription,
  type DescribedRoute,
  mediaTypes,
  type RoutePermission,
} from '@zonewright/api-description';
import type { Caller, EdgeIdentity, JsonObject, SessionCaller } from '@zonewright/core';
import { ok, type Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { Answer } from './answer.ts';
import { type BodyShape, bodyLimits, type JsonBody } from './body.ts';
import type { Limit } from './limits.ts';
import { formats } from './negotiation.ts';
import { noParameters } from './query.ts';
import type { Input, PathParameters, Row } from './route-row.ts';

/** A row of any types. */
type AnyRow = Row<Caller | undefined, unknown, z.ZodObject, unknown, unknown>;

/** The input of any route; its row knows the types of the parts. */
export type AnyInput = Parameters<AnyRow['run']>[0];

/** A route as the pipeline in `handler.ts` runs it: the row's type parameters are closed, and its defaults set. */
export interface Route
  extends DescribedRoute,
    Required<Pick<AnyRow, 'cost' | 'bodyLimit' | 'changesState' | 'mayWait' | 'refusals'>>,
    Pick<AnyRow, 'subject' | 'permitted' | 'failedCredential' | 'limits' | 'target' | 'prepare'> {
  readonly params: PathParameters<unknown>;
  readonly bodyShape: BodyShape;
  readonly checkBody: (body: JsonBody, params: unknown) => Result<unknown, ApiError>;
  readonly answer: (input: AnyInput) => ResultAsync<Answer, ApiError>;
}

/** A route that needs no credential. */
export const publicRoute = <P, Q extends z.ZodObject, B, T>(row: Row<undefined, P, Q, B, T>): Route =>
  close(row, 'public', 'public');

/**
 * A route for callers with a live credential. `permission` is what an API token needs. If it is `session`, the use case
 * refuses API tokens, but only once it is known that the resource exists and the role allows the request.
 */
export const protectedRoute = <P, Q extends z.ZodObject, B, T>({
  permission,
  ...row
}: Row<Caller, P, Q, B, T> & { readonly permission: Exclude<RoutePermission, 'public'> }): Route =>
  close(row, 'protected', permission);

/** A route for signed-in users: API tokens are rejected. */
export const sessionRoute = <P, Q extends z.ZodObject, B, T>(row: Row<SessionCaller, P, Q, B, T>): Route =>
  close(row, 'session', 'session');

/** A route for edges: no other credential opens it, and an edge's key opens no other. */
export const edgeRoute = <P, Q extends z.ZodObject, B, T>({ run, limits, ...row }: EdgeRow<P, Q, B, T>): Route =>
  close<undefined, P, Q, B, T>(
    {
      ...row,
      limits: (input) => limits(authenticatedEdge(input)),
      run: (input) => run({ ...input, edge: authenticatedEdge(input) }),
    },
    'edge',
    'session',
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

const defaults = {
  query: noParameters,
  params: () => ok(undefined),
  bodyLimit: bodyLimits.large,
  needsPrecondition: false,
  comparesParent: false,
  changesState: false,
  mayWait: false,
  responseHeaders: [],
  cookies: {},
  errors: [],
  problems: {},
  refusals: 'problems',
} as const satisfies Partial<Route>;

const close = <C, P, Q extends z.ZodObject, B, T>(
  row: Row<C, P, Q, B, T>,
  access: Access,
  permission: RoutePermission,
): Route => {
  // The pipeline produces every part of the input with this row's own functions, and admits only callers that it accepts.
  const any = row as unknown as AnyRow;
  return {
    ...defaults,
    formats: formatsOf(row.answers),
    consumes: bodyTypes(row.answers, row.accepts),
    ...any,
    access,
    permission,
    readsBody: readsBody(any),
    bodyShape: row.bodyOrArray === undefined ? 'object' : 'object or array',
    isReplayable: row.method === 'post' && access !== 'public' && access !== 'edge' && row.idempotencyKey !== 'ignored',
    isLimited: row.limits !== undefined || row.failedCredential !== undefined,
    checkBody: (body, params) =>
      // The body has the shape this row accepts.
      any.bodyOrArray?.(body, params) ?? any.body?.(body as JsonObject, params) ?? ok(undefined),
    answer: (input) => any.run(input).map((output) => ({ status: row.answers.status, ...any.present(output, input) })),
  };
};

/** Resources have two formats, in responses and bodies alike; anything else is plain JSON. */
function formatsOf(answers: AnswerDescription): DescribedRoute['formats'] {
  if (!('resource' in answers)) return formats.plainOnly;
  return answers.resource.isLinkedFirst ? formats.linkedFirst : formats.plainFirst;
}

function bodyTypes(answers: AnswerDescription, accepts: BodyDescription | undefined): DescribedRoute['consumes'] {
  if (accepts?.kind === 'mergePatch') return [mediaTypes.mergePatch];
  return accepts !== undefined && 'resource' in answers ? formats.plainFirst : formats.plainOnly;
}

function readsBody({ body, bodyOrArray, bodyOptional }: AnyRow): Route['readsBody'] {
  if (body === undefined && bodyOrArray === undefined) return 'never';
  return bodyOptional === true ? 'optional' : 'required';
}

import type { Caller, DomainError, FeedReader, JsonObject, SessionCaller, Subject, UserId } from '@zonewright/core';
import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { ApiError } from '../errors/problems.ts';
import type { Limit } from '../limits/rate-limits.ts';
import type { Answer } from './answer.ts';
import type { BodyShape, JsonBody } from './body.ts';
import { noParameters } from './query.ts';
import type { RoutePermission } from './route-permission.ts';
import {
  defaults,
  type Input,
  negotiated,
  type PathParameters,
  type PermissionInput,
  type RouteData,
  type Row,
} from './route-row.ts';

/** Who may call: everyone, callers with a live credential, only signed-in users, or only edges with their keys. */
export type Access = 'public' | 'protected' | 'session' | 'edge';

/** The input of any route; its row knows the types of the parts. */
export type AnyInput = Input<Caller | undefined, unknown, unknown, unknown>;

/**
 * A route as the pipeline in `handler.ts` runs it: the row's type parameters are closed, members are in execution
 * order.
 */
export interface Route extends RouteData {
  readonly access: Access;
  readonly readsBody: 'required' | 'optional' | 'never';
  readonly bodyShape: BodyShape;
  readonly needsPrecondition: boolean;
  readonly query: z.ZodObject;
  /** Whether a retry with the same `Idempotency-Key` gets the original response. */
  readonly isReplayable: boolean;
  /** Whether `permitted` checks anything. */
  readonly checksPermission: boolean;
  /** Whether it has limits of its own besides the general per-caller limit. */
  readonly isLimited: boolean;
  readonly takesCredential: boolean;
  readonly isFailedCredential: (error: ApiError, input: AnyInput) => boolean;
  readonly params: PathParameters<unknown>;
  /** What a request is about, as far as its address says. */
  readonly subject: (address: Pick<AnyInput, 'params' | 'query'>) => Subject | undefined;
  readonly checkBody: (body: JsonBody, params: unknown) => Result<unknown, ApiError>;
  readonly permitted: (input: PermissionInput<Caller | undefined, unknown>) => ResultAsync<unknown, DomainError>;
  readonly limits: (input: AnyInput) => Promise<readonly Limit[]>;
  readonly target: (input: AnyInput) => ResultAsync<UserId | undefined, never>;
  /** Whether `prepare` does slow work; otherwise it returns the body unchanged. */
  readonly isPrepared: boolean;
  readonly prepare: (input: AnyInput) => ResultAsync<unknown, ApiError>;
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
export const edgeRoute = <P, Q extends z.ZodObject, B, T>({ run, ...row }: EdgeRow<P, Q, B, T>): Route =>
  close<undefined, P, Q, B, T>(
    { ...row, permission: 'session', run: (input) => run({ ...input, edge: authenticatedEdge(input) }) },
    'edge',
  );

/** A row whose requests come from an edge. */
interface EdgeRow<P, Q extends z.ZodObject, B, T> extends Omit<Row<undefined, P, Q, B, T>, 'run'> {
  readonly run: (
    input: Input<undefined, P, z.output<Q>, B> & { readonly edge: FeedReader },
  ) => ReturnType<Row<undefined, P, Q, B, T>['run']>;
}

function authenticatedEdge({ edge }: Pick<AnyInput, 'edge'>): FeedReader {
  if (edge === undefined) throw new Error('The request of an edge was not authenticated.');
  return edge;
}

const close = <C, P, Q extends z.ZodObject, B, T>(
  row: Row<C, P, Q, B, T> & { readonly permission: RoutePermission },
  access: Access,
): Route => {
  // The pipeline produces every part of the input with this row's own functions, so the types match.
  const typed = (input: AnyInput) => input as Input<C, P, z.output<Q>, B>;
  return {
    ...defaults,
    ...negotiated(row),
    ...row,
    access,
    query: row.query ?? noParameters,
    readsBody: readsBody(row.body !== undefined || row.bodyOrArray !== undefined, row.bodyOptional === true),
    bodyShape: row.bodyOrArray === undefined ? 'object' : 'object or array',
    needsPrecondition: row.precondition === 'required',
    isReplayable: row.method === 'post' && access !== 'public' && access !== 'edge' && row.idempotencyKey !== 'ignored',
    checksPermission: row.permitted !== undefined,
    isLimited: row.limits !== undefined || row.failedCredential !== undefined,
    takesCredential: row.failedCredential !== undefined,
    isFailedCredential: (error, input) => row.failedCredential?.(error, typed(input)) ?? false,
    params: row.params ?? (() => ok(undefined)),
    // `params` and `query` come from this row.
    subject: (address) => row.subject?.(address as Pick<Input<C, P, z.output<Q>, B>, 'params' | 'query'>),
    checkBody: (body, params) =>
      // The body has the shape this row accepts, and `params` come from this row's own `params`.
      row.bodyOrArray?.(body, params as P) ?? row.body?.(body as JsonObject, params as P) ?? ok(undefined),
    // The pipeline admits only callers that this row accepts.
    permitted: (input) => row.permitted?.(input as PermissionInput<C, P>) ?? okAsync(),
    limits: async (input) => (await row.limits?.(typed(input))) ?? [],
    target: (input) => row.target?.(typed(input)) ?? okAsync(undefined),
    isPrepared: row.prepare !== undefined,
    prepare: (input) => row.prepare?.(typed(input)) ?? okAsync(input.body),
    answer: (input) =>
      row.run(typed(input)).map((output) => ({ status: row.answers.status, ...row.present(output, typed(input)) })),
  };
};

const readsBody = (reads: boolean, optional: boolean): Route['readsBody'] => {
  if (!reads) return 'never';
  return optional ? 'optional' : 'required';
};

import type {
  Caller,
  Client,
  DomainError,
  ExpectedVersions,
  JsonObject,
  PlausibleCredential,
  RecognizedRead,
  SessionCaller,
  Unauthenticated,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { z } from 'zod';
import type { ApiError, ProblemOverrides } from '../errors/problems.ts';
import type { Limit } from '../limits/rate-limits.ts';
import type { AnswerDescription, BodyDescription } from '../resources/description.ts';
import type { Collection, Item, Members } from '../resources/resource.ts';
import { type BodyShape, bodyLimits, type JsonBody } from './body.ts';
import type { CookieName } from './cookies.ts';
import type { RequestCredentials } from './credentials.ts';
import { type Format, formats, mediaTypes } from './negotiation.ts';
import { noParameters } from './query.ts';

/** For reads of resources: clients may keep the answer but must ask whether it still holds. */
export const revalidated = 'private, no-cache';

/** What a route answers when all went well. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  readonly body?: Item | Collection | Members;
  readonly location?: string;
  /** Header fields of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** `no-store` unless something else is said. */
  readonly cacheControl?: typeof revalidated;
}

/** An answer whose status is said by the description of its route, unless nothing was made where something usually is. */
export type Given = Omit<Answer, 'status'> & { readonly status?: 200 };

/** What a handler gets: everything checked, nothing raw. */
export interface Input<C, P, Q, B> {
  readonly caller: C;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** From `If-Match`. */
  readonly expected: ExpectedVersions;
  readonly credentials: RequestCredentials;
  readonly client: HttpClient;
}

/** What reads get besides who asks. */
export type ReadInput<P, Q> = Pick<Input<unknown, P, Q, unknown>, 'params' | 'query' | 'client'>;

/** The same, and who asks. */
export type PresentInput<C, P, Q> = ReadInput<P, Q> & { readonly caller: C };

/** Where a request comes from; over HTTP there is always a network. */
export type HttpClient = Client & { readonly network: string };

type ParamsOf = Readonly<Record<string, string>>;

/** Makes ids of path segments; a segment that cannot be one names nothing. */
export interface PathParameters<P> {
  (raw: ParamsOf): Result<P, ApiError>;
  /** What each segment is. */
  readonly schema?: z.ZodObject;
}

/** The segments of a path that are ids, each by itself. What is none may be any text, which is nothing to keep. */
export const idsIn = ({ schema }: PathParameters<unknown>, raw: ParamsOf): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(schema?.shape ?? {}).flatMap(([name, segment]) => {
      const id = z.safeParse(segment, raw[name]);
      return id.success ? [[name, String(id.data)]] : [];
    }),
  );

/** Cookies that an operation reads or writes, besides the access token that says who calls. */
export interface CookieUse {
  readonly reads?: readonly CookieName[];
  readonly sets?: readonly CookieName[];
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What is said about a route in data. */
interface RouteData {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** What it does, in a line for people. */
  readonly summary: string;
  /** What else there is to know, in Markdown. */
  readonly description?: string;
  readonly answers: AnswerDescription;
  /** What the body holds; needed where there is one. */
  readonly accepts?: BodyDescription;
  /** Refusals that only this operation has, besides those that follow from the row. */
  readonly refuses: readonly ApiError['type'][];
  /** Header fields of its answers, besides those that follow from the row. */
  readonly sends: readonly 'Rule-Positions'[];
  readonly cookies: CookieUse;
  /** Whether it compares `If-Match` with the item above its list. */
  readonly comparesAbove: boolean;
  readonly formats: readonly Format[];
  /** Media types of the body. */
  readonly consumes: readonly string[];
  readonly bodyLimit: number;
  readonly problems: ProblemOverrides;
}

/** What a row that does not say otherwise means. */
const defaults = {
  refuses: [],
  sends: [],
  cookies: {},
  comparesAbove: false,
  formats: formats.plainOnly,
  consumes: [mediaTypes.json],
  bodyLimit: bodyLimits.large,
  problems: {},
} as const satisfies Partial<RouteData>;

/** A route as it is written down. */
interface Row<C, P, Q extends z.ZodObject, B, T>
  extends Omit<RouteData, keyof typeof defaults>,
    Partial<Pick<RouteData, keyof typeof defaults>> {
  readonly params?: PathParameters<P>;
  readonly query?: Q;
  /** The zone in which something changes: what the change is decided on is read along with the caller. */
  readonly changes?: (params: P) => ZoneId;
  /** Checks the body; absent for routes that read none. */
  readonly body?: (body: JsonObject, params: P) => Result<B, ApiError>;
  /** In place of `body`, where a JSON array is a body as well. */
  readonly bodyOrArray?: (body: JsonBody, params: P) => Result<B, ApiError>;
  readonly bodyOptional?: boolean;
  /** Whether a request must say which state it changes (RFC 6585 section 3). */
  readonly precondition?: 'required';
  /** Whether the caller may do this at all: asked only before a bad body is refused, so that 404 and 403 come first. */
  readonly permitted?: (caller: C, params: P) => ResultAsync<void, DomainError>;
  /**
   * For routes whose input is a credential itself: whether storage was asked for one in vain. Such failures are counted by
   * network, and a network with too many is refused before anything is looked up.
   */
  readonly failedCredential?: (error: ApiError, input: Input<C, P, z.output<Q>, B>) => boolean;
  /** Limits on how often this may be tried, taken before it is run. */
  readonly limits?: (input: Input<C, P, z.output<Q>, B>) => readonly Limit[] | Promise<readonly Limit[]>;
  /** Whose account a caller who is not known yet tries to get into: named in the record of a refusal, in no answer. */
  readonly target?: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<UserId | undefined, never>;
  /**
   * Slow work, such as hashing, that must not keep a transaction open or an `Idempotency-Key` claimed: done before either,
   * and not for a repetition. Resolves to the body that `run` gets.
   */
  readonly prepare?: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<B, ApiError>;
  readonly run: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<T, ApiError>;
  /** As `run`, for the holder of a credential: reads whose statement recognizes the caller, too. */
  readonly readBy?: (
    credential: PlausibleCredential,
    input: ReadInput<P, z.output<Q>>,
  ) => ResultAsync<RecognizedRead<T, ApiError>, Unauthenticated>;
  readonly present: (output: T, input: PresentInput<C, P, z.output<Q>>) => Given;
  /**
   * `ignored` where the answer is for one pair of eyes once, or where a refusal must store something: with an
   * `Idempotency-Key` nothing of a refused request remains. For `POST` only.
   */
  readonly idempotencyKey?: 'ignored';
}

/** Who may call: everybody, those with a live credential, or only people who signed in. */
export type Access = 'public' | 'protected' | 'session';

type AnyInput = Input<Caller | undefined, unknown, unknown, unknown>;

/** A row of the route table, its types closed: what the pipeline in `handler.ts` needs, in the order it needs it. */
export interface Route extends RouteData {
  readonly access: Access;
  readonly readsBody: 'required' | 'optional' | 'never';
  readonly bodyShape: BodyShape;
  readonly needsPrecondition: boolean;
  readonly query: z.ZodObject;
  /** Whether a repetition under the same `Idempotency-Key` gets the answer that was given before. */
  readonly isReplayable: boolean;
  /** Whether it has limits of its own, besides the general one of everybody with a credential. */
  readonly isLimited: boolean;
  /** Whether its input is a credential itself. */
  readonly takesCredential: boolean;
  readonly isFailedCredential: (error: ApiError, input: AnyInput) => boolean;
  readonly params: PathParameters<unknown>;
  readonly changedZone: (params: unknown) => ZoneId | undefined;
  readonly checkBody: (body: JsonBody, params: unknown) => Result<unknown, ApiError>;
  readonly permitted: (caller: Caller | undefined, params: unknown) => ResultAsync<void, DomainError>;
  readonly limits: (input: AnyInput) => Promise<readonly Limit[]>;
  readonly target: (input: AnyInput) => ResultAsync<UserId | undefined, never>;
  /** Whether there is slow work before the answer; without any, `prepare` gives the body as it is. */
  readonly isPrepared: boolean;
  readonly prepare: (input: AnyInput) => ResultAsync<unknown, ApiError>;
  readonly answer: (input: AnyInput) => ResultAsync<Answer, ApiError>;
  /** Absent where the caller is recognized before anything is asked for. */
  readonly answerBy?: (
    credential: PlausibleCredential,
    input: ReadInput<unknown, unknown>,
  ) => ResultAsync<RecognizedRead<Answer, ApiError>, Unauthenticated>;
}

/** A route that needs no credential. */
export const publicRoute = <P, Q extends z.ZodObject, B, T>(row: Row<undefined, P, Q, B, T>): Route =>
  close(row, 'public');

/** A route for callers with a live credential. */
export const protectedRoute = <P, Q extends z.ZodObject, B, T>(row: Row<Caller, P, Q, B, T>): Route =>
  close(row, 'protected');

/** A route for people who signed in: API tokens are refused. */
export const sessionRoute = <P, Q extends z.ZodObject, B, T>(row: Row<SessionCaller, P, Q, B, T>): Route =>
  close(row, 'session');

/** Auth endpoints answer 400 to whatever is wrong with a body (interface, "Errors"). */
export const badRequest = { InvalidInput: { status: 400 } } as const satisfies ProblemOverrides;

const close = <C, P, Q extends z.ZodObject, B, T>(row: Row<C, P, Q, B, T>, access: Access): Route => {
  // The pipeline makes each part of an input with the function of this row that returns it.
  const typed = (input: AnyInput) => input as Input<C, P, z.output<Q>, B>;
  const { readBy } = row;
  const answerOf = (output: T, input: PresentInput<C, P, z.output<Q>>): Answer => ({
    status: row.answers.status,
    ...row.present(output, input),
  });
  return {
    ...defaults,
    ...row,
    access,
    query: row.query ?? noParameters,
    readsBody: readsBody(row.body !== undefined || row.bodyOrArray !== undefined, row.bodyOptional === true),
    bodyShape: row.bodyOrArray === undefined ? 'object' : 'object or array',
    needsPrecondition: row.precondition === 'required',
    isReplayable: row.method === 'post' && access !== 'public' && row.idempotencyKey !== 'ignored',
    isLimited: row.limits !== undefined || row.failedCredential !== undefined,
    takesCredential: row.failedCredential !== undefined,
    isFailedCredential: (error, input) => row.failedCredential?.(error, typed(input)) ?? false,
    params: row.params ?? (() => ok(undefined)),
    // As below: `params` are those of this row.
    changedZone: (params) => row.changes?.(params as P),
    checkBody: (body, params) =>
      // Bodies and parameters were read as this row asks: an object unless it takes arrays, and its own `params`.
      row.bodyOrArray?.(body, params as P) ?? row.body?.(body as JsonObject, params as P) ?? ok(undefined),
    // The pipeline admits only callers that this row accepts.
    permitted: (caller, params) => row.permitted?.(caller as C, params as P) ?? okAsync(),
    limits: async (input) => (await row.limits?.(typed(input))) ?? [],
    target: (input) => row.target?.(typed(input)) ?? okAsync(undefined),
    isPrepared: row.prepare !== undefined,
    prepare: (input) => row.prepare?.(typed(input)) ?? okAsync(input.body),
    answer: (input) => row.run(typed(input)).map((output) => answerOf(output, typed(input))),
    ...(readBy && {
      answerBy: (credential, input) => {
        // As above. Only routes for every caller are read by credential.
        const read = input as ReadInput<P, z.output<Q>>;
        return readBy(credential, read).map(({ caller, answer }) => ({
          caller,
          // Routes that are read by credential accept every caller.
          answer: () => answer().map((output) => answerOf(output, { ...read, caller: caller as C })),
        }));
      },
    }),
  };
};

const readsBody = (reads: boolean, optional: boolean): Route['readsBody'] => {
  if (!reads) return 'never';
  return optional ? 'optional' : 'required';
};

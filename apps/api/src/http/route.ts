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

/** `Cache-Control` of resource reads: clients may store the response but must revalidate it. */
export const revalidated = 'private, no-cache';

/** A successful response of a route. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  readonly body?: Item | Collection | Members;
  readonly location?: string;
  /** Additional header fields for this response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Defaults to `no-store`. */
  readonly cacheControl?: typeof revalidated;
}

/** An answer whose status comes from the route's description; 200 overrides it where nothing was created. */
export type Given = Omit<Answer, 'status'> & { readonly status?: 200 };

/** The validated input of a route; nothing in it is raw. */
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

/** The part of a read's input that does not depend on the caller. */
export type ReadInput<P, Q> = Pick<Input<unknown, P, Q, unknown>, 'params' | 'query' | 'client'>;

/** A read's input with the caller, for presenting the output. */
export type PresentInput<C, P, Q> = ReadInput<P, Q> & { readonly caller: C };

/** Unlike elsewhere, the network of an HTTP client is always known. */
export type HttpClient = Client & { readonly network: string };

type ParamsOf = Readonly<Record<string, string>>;

/** Parses path segments into ids; a malformed id cannot name a resource. */
export interface PathParameters<P> {
  (raw: ParamsOf): Result<P, ApiError>;
  /** Describes each segment. */
  readonly schema?: z.ZodObject;
}

/** The valid ids among the path segments. Other segments may hold arbitrary text, which must not be recorded. */
export const idsIn = ({ schema }: PathParameters<unknown>, raw: ParamsOf): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(schema?.shape ?? {}).flatMap(([name, segment]) => {
      const id = z.safeParse(segment, raw[name]);
      return id.success ? [[name, String(id.data)]] : [];
    }),
  );

/** Cookies that an operation reads or sets, apart from the access token. */
export interface CookieUse {
  readonly reads?: readonly CookieName[];
  readonly sets?: readonly CookieName[];
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The declarative part of a route. */
interface RouteData {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** One line for the API documentation. */
  readonly summary: string;
  /** Further documentation, in Markdown. */
  readonly description?: string;
  readonly answers: AnswerDescription;
  /** Describes the body; required when the route reads one. */
  readonly accepts?: BodyDescription;
  /** Errors specific to this operation, beyond those that follow from the row. */
  readonly refuses: readonly ApiError['type'][];
  /** Response header fields beyond those that follow from the row. */
  readonly sends: readonly 'Rule-Positions'[];
  readonly cookies: CookieUse;
  /** Whether `If-Match` refers to the parent of the list. */
  readonly comparesAbove: boolean;
  readonly formats: readonly Format[];
  /** Media types accepted for the body. */
  readonly consumes: readonly string[];
  readonly bodyLimit: number;
  readonly problems: ProblemOverrides;
}

/** Values of a row's optional members. */
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

/** A route as its author writes it. */
interface Row<C, P, Q extends z.ZodObject, B, T>
  extends Omit<RouteData, keyof typeof defaults>,
    Partial<Pick<RouteData, keyof typeof defaults>> {
  readonly params?: PathParameters<P>;
  readonly query?: Q;
  /** The zone a write belongs to: the data it depends on is loaded along with the caller. */
  readonly changes?: (params: P) => ZoneId;
  /** Validates the body; absent for routes that read none. */
  readonly body?: (body: JsonObject, params: P) => Result<B, ApiError>;
  /** Used instead of `body` by routes that also accept a JSON array. */
  readonly bodyOrArray?: (body: JsonBody, params: P) => Result<B, ApiError>;
  readonly bodyOptional?: boolean;
  /** Whether requests must be conditional (RFC 6585 section 3). */
  readonly precondition?: 'required';
  /**
   * Whether the caller may do this at all. Runs only before a bad body is rejected, so that 404 and 403 take
   * precedence.
   */
  readonly permitted?: (caller: C, params: P) => ResultAsync<void, DomainError>;
  /**
   * For routes whose input is a credential: whether the credential was looked up and rejected. Such failures are
   * counted per network, and a network over its limit is rejected before any lookup.
   */
  readonly failedCredential?: (error: ApiError, input: Input<C, P, z.output<Q>, B>) => boolean;
  /** Rate limits consumed before `run`. */
  readonly limits?: (input: Input<C, P, z.output<Q>, B>) => readonly Limit[] | Promise<readonly Limit[]>;
  /** The account an unauthenticated caller tries to access: recorded in the audit log of a rejection, never sent. */
  readonly target?: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<UserId | undefined, never>;
  /**
   * Slow work, such as hashing, that must not hold a transaction open or an `Idempotency-Key` claimed: it runs before
   * both and is skipped on replay. Resolves to the body passed to `run`.
   */
  readonly prepare?: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<B, ApiError>;
  readonly run: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<T, ApiError>;
  /** Like `run`, for reads that authenticate the caller in the same statement. */
  readonly readBy?: (
    credential: PlausibleCredential,
    input: ReadInput<P, z.output<Q>>,
  ) => ResultAsync<RecognizedRead<T, ApiError>, Unauthenticated>;
  readonly present: (output: T, input: PresentInput<C, P, z.output<Q>>) => Given;
  /**
   * `ignored` where the response shows a secret once, or where a failed request must store something: under an
   * `Idempotency-Key`, a failed request leaves nothing behind. Only for `POST`.
   */
  readonly idempotencyKey?: 'ignored';
}

/** Who may call: everyone, callers with a live credential, or only signed-in users. */
export type Access = 'public' | 'protected' | 'session';

type AnyInput = Input<Caller | undefined, unknown, unknown, unknown>;

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
  /** Whether it has limits of its own besides the general per-caller limit. */
  readonly isLimited: boolean;
  readonly takesCredential: boolean;
  readonly isFailedCredential: (error: ApiError, input: AnyInput) => boolean;
  readonly params: PathParameters<unknown>;
  readonly changedZone: (params: unknown) => ZoneId | undefined;
  readonly checkBody: (body: JsonBody, params: unknown) => Result<unknown, ApiError>;
  readonly permitted: (caller: Caller | undefined, params: unknown) => ResultAsync<void, DomainError>;
  readonly limits: (input: AnyInput) => Promise<readonly Limit[]>;
  readonly target: (input: AnyInput) => ResultAsync<UserId | undefined, never>;
  /** Whether `prepare` does slow work; otherwise it returns the body unchanged. */
  readonly isPrepared: boolean;
  readonly prepare: (input: AnyInput) => ResultAsync<unknown, ApiError>;
  readonly answer: (input: AnyInput) => ResultAsync<Answer, ApiError>;
  /** Absent where the caller must be authenticated before the read. */
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

/** A route for signed-in users: API tokens are rejected. */
export const sessionRoute = <P, Q extends z.ZodObject, B, T>(row: Row<SessionCaller, P, Q, B, T>): Route =>
  close(row, 'session');

/** Auth endpoints respond with 400 to any invalid body (interface, "Errors"). */
export const badRequest = { InvalidInput: { status: 400 } } as const satisfies ProblemOverrides;

const close = <C, P, Q extends z.ZodObject, B, T>(row: Row<C, P, Q, B, T>, access: Access): Route => {
  // The pipeline produces every part of the input with this row's own functions, so the types match.
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
    // `params` come from this row's own `params`.
    changedZone: (params) => row.changes?.(params as P),
    checkBody: (body, params) =>
      // The body has the shape this row accepts, and `params` come from this row's own `params`.
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
        // `query` and `params` come from this row.
        const read = input as ReadInput<P, z.output<Q>>;
        return readBy(credential, read).map(({ caller, answer }) => ({
          caller,
          // Routes with `readBy` accept every caller.
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

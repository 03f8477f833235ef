import type { ApiError, CookieUse, ProblemOverrides, RoutePermission } from '@zonewright/api-description';
import {
  type AnswerDescription,
  type BodyDescription,
  type Format,
  mediaTypes,
  nothing,
  type ResourceDescription,
  whole,
} from '@zonewright/api-description';
import {
  type DomainError,
  type EdgeIdentity,
  type ExpectedVersions,
  type JsonObject,
  parse,
  type Subject,
  type UseCases,
  type UserId,
} from '@zonewright/core';
import type { Result, ResultAsync } from 'neverthrow';
import { z } from 'zod';
import type { Limit } from '../http/limits.ts';
import type { PresentedAnswer } from './answer.ts';
import { bodyLimits, type JsonBody, listLimits } from './body.ts';
import type { RequestCredentials } from './credentials.ts';
import type { HttpClient } from './exchange.ts';
import { formats } from './negotiation.ts';

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
  /** The edge that makes the request; undefined for all others. */
  readonly edge: EdgeIdentity | undefined;
  /** The use cases over the storage of this request. */
  readonly useCases: UseCases;
}

/** The part of the input that decides whether the caller may make the request at all. */
export interface PermissionInput<C, P> extends Pick<Input<C, P, unknown, unknown>, 'caller' | 'params' | 'useCases'> {
  /** The stored response that would be sent again, with the resource that it shows; absent while nothing was done. */
  readonly repeated?: { readonly shown: string | undefined };
}

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

/**
 * What a request may cost the thread that serves requests, which never computes longer than 20 ms at a stretch:
 * - `constant`: bounded by constants, whatever is stored.
 * - `stored`: reads or writes a zone, a backend or a page of at most 8 MB; each step stays below 20 ms. With a long body,
 *   which takes longer to validate, and for a long page of rules, it runs on a request thread.
 * - `budgeted`: usually short; computed there within a small budget of work, and on a request thread beyond it.
 * - `computed`: grows with stored documents, histories or patterns; runs on a request thread.
 */
export type Cost = 'constant' | 'stored' | 'budgeted' | 'computed';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The declarative part of a route. */
export interface RouteData {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** Required, so that nobody adds a route without having thought about it. */
  readonly cost: Cost;
  /** Required where the access does not imply it. */
  readonly permission: RoutePermission;
  /** One line for the API documentation. */
  readonly summary: string;
  /** Further documentation, in Markdown. */
  readonly description?: string;
  readonly answers: AnswerDescription;
  /** Describes the body; required when the route reads one. */
  readonly accepts?: BodyDescription;
  /** Errors specific to this operation, beyond those that follow from the row. */
  readonly errors: readonly ApiError['type'][];
  /** Response header fields beyond those that follow from the row. */
  readonly responseHeaders: readonly 'Rule-Positions'[];
  readonly cookies: CookieUse;
  /**
   * For `GET`: it changes something all the same, so it has no `HEAD`. Only browsers on their way to and from a provider
   * make such requests (spec-gaps, "Sign-in by a provider").
   */
  readonly changesState: boolean;
  /** How refusals are reported: as problem documents, or to the page for signing in, by redirecting the browser. */
  readonly refusals: 'problems' | 'redirected';
  /** Whether `If-Match` refers to the parent of the list. */
  readonly comparesParent: boolean;
  readonly formats: readonly Format[];
  /** Media types accepted for the body. */
  readonly consumes: readonly string[];
  readonly bodyLimit: number;
  /** Maximum entries of a list in the body. */
  readonly listLimit: number;
  /** Whether it may wait for something to happen, without keeping other requests of the caller from their turn. */
  readonly mayWait: boolean;
  readonly problems: ProblemOverrides;
}

/** Values of a row's optional members, except those that `negotiated` derives. */
export const defaults = {
  errors: [],
  responseHeaders: [],
  cookies: {},
  changesState: false,
  refusals: 'problems',
  comparesParent: false,
  bodyLimit: bodyLimits.large,
  listLimit: listLimits.usual,
  mayWait: false,
  problems: {},
} as const satisfies Partial<RouteData>;

/** Resources have two formats, in responses and bodies alike; anything else is plain JSON. */
export const negotiated = ({ answers, accepts }: Pick<RouteData, 'answers' | 'accepts'>) => ({
  formats: 'resource' in answers ? formatsOf(answers.resource) : formats.plainOnly,
  consumes: accepts === undefined ? formats.plainOnly : bodyTypes(accepts, answers),
});

const formatsOf = ({ isLinkedFirst }: ResourceDescription) =>
  isLinkedFirst ? formats.linkedFirst : formats.plainFirst;

const bodyTypes = ({ kind }: BodyDescription, answers: AnswerDescription): readonly string[] => {
  if (kind === 'mergePatch') return [mediaTypes.mergePatch];
  return 'resource' in answers ? formats.plainFirst : formats.plainOnly;
};

type Optional = keyof typeof defaults | keyof ReturnType<typeof negotiated>;

/** A route as its author writes it, except for the permission, which follows from the access of most. */
export interface Row<C, P, Q extends z.ZodObject, B, T>
  extends Omit<RouteData, Optional | 'permission'>,
    Partial<Pick<RouteData, Optional>> {
  readonly params?: PathParameters<P>;
  readonly query?: Q;
  /** What a request is about, if storage can read that along with the caller. */
  readonly subject?: (address: { readonly params: P; readonly query: z.output<Q> }) => Subject;
  /** Validates the body; absent for routes that read none. */
  readonly body?: (body: JsonObject, params: P) => Result<B, ApiError>;
  /** Used instead of `body` by routes that also accept a JSON array. */
  readonly bodyOrArray?: (body: JsonBody, params: P) => Result<B, ApiError>;
  readonly bodyOptional?: boolean;
  /** Whether requests must be conditional (RFC 6585 section 3). */
  readonly precondition?: 'required';
  /**
   * Whether the caller may do this at all. Runs only before a bad body is rejected, so that 404 and 403 take
   * precedence, and before a response is replayed under an `Idempotency-Key`: a test requires it of routes that do so.
   */
  readonly permitted?: (input: PermissionInput<C, P>) => ResultAsync<unknown, DomainError>;
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
  readonly present: (output: T, input: Input<C, P, z.output<Q>, B>) => PresentedAnswer;
  /**
   * `ignored` where the response shows a secret once, or where a failed request must store something: under an
   * `Idempotency-Key`, a failed request leaves nothing behind. Only for `POST`.
   */
  readonly idempotencyKey?: 'ignored';
}

/** Auth endpoints respond with 400 to any invalid body (interface, "Errors"). */
export const badRequest = { InvalidInput: { status: 400 } } as const satisfies ProblemOverrides;

/** The members of a row that reads a small body. */
export const smallBody = <S extends z.ZodType>(schema: S) => ({
  accepts: whole(schema),
  bodyLimit: bodyLimits.small,
  body: (body: JsonObject) => parse(schema, body),
});

/** The members of a row that reads the body of an auth endpoint. */
export const authBody = <S extends z.ZodType>(schema: S) => ({ ...smallBody(schema), problems: badRequest });

/** The members of a row whose response has no body. */
export const noContent = { answers: nothing, present: () => ({}) } as const;

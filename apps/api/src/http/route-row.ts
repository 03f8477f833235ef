import type {
  AnswerDescription,
  ApiError,
  BodyDescription,
  CookieUse,
  DescribedRoute,
  ProblemOverrides,
} from '@zonewright/api-description';
import type {
  DomainError,
  EdgeIdentity,
  ExpectedVersions,
  JsonObject,
  Subject,
  UseCases,
  UserId,
} from '@zonewright/core';
import type { Result, ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { PresentedAnswer } from './answer.ts';
import type { BodyLimit, JsonBody } from './body.ts';
import type { RequestCredentials } from './credentials.ts';
import type { HttpClient } from './exchange.ts';
import type { Limit } from './limits.ts';

/** The validated input of a route; nothing in it is raw. */
export interface Input<C, P, Q, B> {
  /** A caller, a caller with a session, or undefined, depending on who may call the route. */
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

/** Parses path segments into ids; a malformed id cannot name a resource. */
export interface PathParameters<P> {
  (raw: Readonly<Record<string, string>>): Result<P, ApiError>;
  /** Describes each segment. */
  readonly schema?: z.ZodObject;
}

/**
 * A route as its author writes it. `publicRoute`, `protectedRoute`, `sessionRoute` and `edgeRoute` in `route.ts` say who
 * may call it. Optional members come with their defaults; the others are required, so that nobody adds a route without
 * having thought about them. Members are in the order in which a request meets them.
 *
 * Type parameters, all inferred: caller, path parameters, query, body, and what the use case resolves to.
 */
export interface Row<C, P, Q extends z.ZodObject, B, T> {
  // The address.

  readonly method: DescribedRoute['method'];
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** Parses them, as those in `routes/parameters.ts` do. None by default. */
  readonly params?: PathParameters<P>;
  /** The parameters of the query; others are ignored. None by default. */
  readonly query?: Q;
  /** For the API documentation, in one line. */
  readonly summary: string;
  /** Further documentation, in Markdown. */
  readonly description?: string;

  // Admission.

  /**
   * What a request may cost the thread that serves requests, which never computes longer than 20 ms at a stretch:
   * - `constant`: bounded by constants, whatever is stored.
   * - `stored`: reads or writes a zone, a backend or a page of at most 8 MB; each step stays below 20 ms. With a long
   *   body, which takes longer to validate, and for a long page of rules, it runs on a request thread.
   * - `budgeted`: usually short; computed there within a small budget of work, and on a request thread beyond it.
   * - `computed`: grows with stored documents, histories or patterns; runs on a request thread.
   */
  readonly cost: 'constant' | 'stored' | 'budgeted' | 'computed';
  /** What a request is about, if storage can read that along with the caller. */
  readonly subject?: (address: { readonly params: P; readonly query: z.output<Q> }) => Subject;
  /**
   * For `GET`: whether it changes something all the same, so that it has no `HEAD`. Only browsers on their way to and
   * from a provider make such requests (spec-gaps, "Sign-in by a provider"). False by default.
   */
  readonly changesState?: boolean;
  /**
   * Whether it may wait for something to happen, without keeping other requests of the caller from their turn. False by
   * default.
   */
  readonly mayWait?: boolean;

  // The body of the request.

  /** Describes the body; required when the route reads one. */
  readonly accepts?: BodyDescription;
  /** Validates the body; absent for routes that read none. */
  readonly body?: (body: JsonObject, params: P) => Result<B, ApiError>;
  /** Used instead of `body` by routes that also accept a JSON array. */
  readonly bodyOrArray?: (body: JsonBody, params: P) => Result<B, ApiError>;
  /** Whether a request without a body counts as one with an empty object. False by default. */
  readonly bodyOptional?: boolean;
  /** One of `bodyLimits`; `large` by default. */
  readonly bodyLimit?: BodyLimit;
  /** Media types of the body. By default those of the answer, or merge patches where `accepts` describes one. */
  readonly consumes?: readonly string[];
  /** Whether requests must be conditional (RFC 6585 section 3). False by default. */
  readonly needsPrecondition?: boolean;
  /** Whether `If-Match` refers to the parent of the list. False by default. */
  readonly comparesParent?: boolean;
  /**
   * Whether the caller may do this at all. Runs only before a bad body is rejected, so that 404 and 403 take
   * precedence, and before a response is replayed under an `Idempotency-Key`: a test requires it of routes that do so.
   */
  readonly permitted?: (input: PermissionInput<C, P>) => ResultAsync<unknown, DomainError>;

  // Execution.

  /** Rate limits consumed before `run`, besides that of every caller. */
  readonly limits?: (input: Input<C, P, z.output<Q>, B>) => readonly Limit[] | Promise<readonly Limit[]>;
  /**
   * For routes whose input is a credential: whether the credential was looked up and rejected. Such failures are
   * counted per network, and a network over its limit is rejected before any lookup.
   */
  readonly failedCredential?: (error: ApiError, input: Input<C, P, z.output<Q>, B>) => boolean;
  /** The account an unauthenticated caller tries to access: recorded in the audit log of a rejection, never sent. */
  readonly target?: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<UserId | undefined, never>;
  /**
   * `ignored` where the response shows a secret once, or where a failed request must store something: under an
   * `Idempotency-Key`, a failed request leaves nothing behind. Only for `POST`, which otherwise honours the key of a
   * caller.
   */
  readonly idempotencyKey?: 'ignored';
  /**
   * Slow work, such as hashing, that must not hold a transaction open or an `Idempotency-Key` claimed: it runs before
   * both and is skipped on replay. Resolves to the body passed to `run`.
   */
  readonly prepare?: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<B, ApiError>;
  /** Calls the use case. */
  readonly run: (input: Input<C, P, z.output<Q>, B>) => ResultAsync<T, ApiError>;

  // The response.

  /** Describes it, with its status; see `item`, `list`, `created` and `nothing` of `api-description`. */
  readonly answers: AnswerDescription;
  /** Lists its members by name. */
  readonly present: (output: T, input: Input<C, P, z.output<Q>, B>) => PresentedAnswer;
  /** Header fields beyond those that follow from the row. */
  readonly responseHeaders?: readonly 'Rule-Positions'[];
  /** Cookies that it reads or sets, apart from the access token. */
  readonly cookies?: CookieUse;
  /** Errors specific to this operation, beyond those that follow from the row. */
  readonly errors?: readonly ApiError['type'][];
  /** Statuses of errors where they differ from the usual ones. */
  readonly problems?: ProblemOverrides;
  /**
   * How refusals are reported: as problem documents, the default, or to the page for signing in, by redirecting the
   * browser.
   */
  readonly refusals?: 'problems' | 'redirected';
}

/** How an error is reported to clients (RFC 9457). `type` is `/errors/<slug>`. */
export interface Problem {
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
  /** How to fix it; shown on the page of the type, so all problems of a slug have the same. */
  readonly advice: string;
  /** The cookies that the response clears. */
  readonly clears?: 'session' | 'challenge';
}

type Special = Partial<Pick<Problem, 'status' | 'title' | 'clears'>>;

/** A problem whose title, unless it has a special one, is the words of its slug. */
export const problem = (
  status: number,
  slug: string,
  detail: string,
  advice: string,
  special: Special = {},
): Problem => ({ status, slug, title: sentence(slug), detail, advice, ...special });

/** The state of something does not allow this. */
export const conflict = (slug: string, detail: string, advice: string, special: Special = {}): Problem =>
  problem(409, slug, detail, advice, special);

const sentence = (slug: string): string => `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll('-', ' ')}`;

/** Constructs problems of one type, which differ in their details. */
const problemType =
  (status: number, slug: string, advice: string, common: Special = {}) =>
  (detail: string, special: Special = {}): Problem =>
    problem(status, slug, detail, advice, { ...common, ...special });

/** No such item, or none that the caller may know of. */
export const notFound = problemType(
  404,
  'not-found',
  'Check the URL and the ids in it. The resource may have been deleted.',
);

/** A value in the body or the query breaks a rule. */
export const invalid = problemType(
  422,
  'validation-failed',
  'Fix the values listed in the violations and send the request again.',
);

/** A token from a mail is unknown, used, replaced or expired; which one is not revealed. */
export const invalidToken = problemType(
  400,
  'invalid-token',
  'Request a new e-mail. Only the newest link works, and only once.',
);

/** No credential counts. */
export const unauthenticated = problemType(
  401,
  'unauthenticated',
  'Send a valid access token as Authorization: Bearer, or an API token as X-API-TOKEN.',
  { title: 'Authentication required' },
);

/** The second step of a login lacks a live challenge. */
export const invalidChallenge = problemType(401, 'invalid-challenge', 'Log in again to get a new challenge.');

/** The role or the scope of the token does not allow this. */
export const forbidden = problemType(
  403,
  'forbidden',
  'Ask an owner or admin of the organization for a role that allows this, or use a token with a wider scope.',
);

/** What the caller read has changed since. */
export const preconditionFailed = problemType(
  412,
  'precondition-failed',
  'Read the resource again, reapply your change, and send the new ETag as If-Match.',
);

/** The service cannot do this at the moment. */
export const unavailable = problemType(
  503,
  'service-unavailable',
  'Try again after the number of seconds in the Retry-After header.',
);

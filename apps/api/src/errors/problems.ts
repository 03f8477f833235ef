import type { DomainError, Violation } from '@zonewright/core';
import type { ForeignOrigin } from '../http/origin.ts';

/** How an error is told to clients (RFC 9457). `type` is `/errors/<slug>`. */
export interface Problem {
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
  /** The cookies that are taken back with the answer. */
  readonly clears?: 'session' | 'challenge';
}

/** What can be wrong with a request before or besides the domain. */
export type HttpError =
  | { readonly type: 'NotFound' }
  | { readonly type: 'MethodNotAllowed'; readonly allow: string }
  | { readonly type: 'NotAcceptable'; readonly supported: readonly string[] }
  | { readonly type: 'UnsupportedMediaType'; readonly supported: readonly string[] }
  | { readonly type: 'PayloadTooLarge' }
  | { readonly type: 'PreconditionRequired' }
  | { readonly type: 'MalformedBody'; readonly reason: string }
  | { readonly type: 'InvalidQuery'; readonly violations: readonly Violation[] }
  | { readonly type: 'MissingBodyMember'; readonly member: string }
  | ForeignOrigin
  | { readonly type: 'ChallengeMissing' }
  | { readonly type: 'ReadOnlyToken' }
  | { readonly type: 'InvalidIdempotencyKey' }
  | { readonly type: 'IdempotencyKeyReused' }
  /** `isRepeated`: the same refusal was given before, so it is no event. */
  | { readonly type: 'TooManyRequests'; readonly retryAfterSeconds: number; readonly isRepeated?: boolean }
  | { readonly type: 'ServiceUnavailable'; readonly retryAfterSeconds: number }
  | PayloadsUnread
  | { readonly type: 'InternalError' };

/** Large payloads of the caller, or of everybody, occupy the memory that is meant for them. */
export interface PayloadsUnread {
  readonly type: 'PayloadsUnread';
  readonly retryAfterSeconds: number;
}
export const payloadsUnread = (): PayloadsUnread => ({ type: 'PayloadsUnread', retryAfterSeconds: 1 });

export type ApiError = DomainError | HttpError;

/** The one place where an error gets an HTTP status. A new tag without a row does not compile. */
export const problems = {
  InvalidInput: {
    status: 422,
    slug: 'validation-failed',
    title: 'Validation failed',
    detail: 'Some values are not valid.',
  },
  EmailTaken: {
    status: 409,
    slug: 'registration-conflict',
    title: 'Registration not possible',
    detail: 'An account cannot be registered with these data.',
  },
  MailedTokenInvalid: {
    status: 400,
    slug: 'invalid-token',
    title: 'Invalid token',
    detail: 'The token is invalid or has expired.',
  },
  AccountInactive: {
    status: 403,
    slug: 'account-inactive',
    title: 'Account inactive',
    detail: 'The account is not active. Verify its e-mail address first.',
  },
  AccountNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such resource.' },
  HashingBusy: {
    status: 503,
    slug: 'service-unavailable',
    title: 'Service unavailable',
    detail: 'The service is busy. Try again in a moment.',
  },
  InvalidCredentials: {
    status: 401,
    slug: 'invalid-credentials',
    title: 'Invalid credentials',
    detail: 'The e-mail address or the password is wrong.',
  },
  Unauthenticated: {
    status: 401,
    slug: 'unauthenticated',
    title: 'Authentication required',
    detail: 'Valid credentials are needed for this request.',
  },
  RefreshTokenInvalid: {
    status: 401,
    slug: 'invalid-refresh-token',
    title: 'Invalid refresh token',
    detail: 'The refresh token is invalid or has expired.',
  },
  RefreshTokenReused: {
    status: 401,
    slug: 'refresh-token-reused',
    title: 'Refresh token reused',
    detail: 'The refresh token was used before; all sessions have been ended.',
    clears: 'session',
  },
  PermissionDenied: { status: 403, slug: 'forbidden', title: 'Forbidden', detail: 'You may not do this.' },
  BasicAuthUserNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such basic-auth user in the zone.',
  },
  BasicAuthUserInUse: {
    status: 409,
    slug: 'basic-auth-user-in-use',
    title: 'Basic-auth user in use',
    detail: 'The zone or its rules need the user: by name, or because nobody else could pass.',
  },
  RevisionNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such revision of the zone.',
  },
  PreconditionRequired: {
    status: 428,
    slug: 'precondition-required',
    title: 'Precondition required',
    detail: 'Name the state that the request replaces: send its ETag as If-Match, or If-Match: *.',
  },
  ZoneNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such zone.' },
  RuleNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such rule in the zone.' },
  VersionMismatch: {
    status: 412,
    slug: 'precondition-failed',
    title: 'Precondition failed',
    detail: 'The resource has changed since it was read.',
  },
  ChallengeInvalid: {
    status: 401,
    slug: 'invalid-challenge',
    title: 'Invalid challenge',
    detail: 'The challenge is invalid or has expired. Log in again.',
    clears: 'challenge',
  },
  ChallengeMissing: {
    status: 401,
    slug: 'invalid-challenge',
    title: 'Challenge missing',
    detail: 'A challenge from the login is needed for this request.',
  },
  InvalidVerificationCode: {
    status: 422,
    slug: 'invalid-verification-code',
    title: 'Invalid verification code',
    detail: 'The verification code is not valid.',
  },
  TwoFactorAlreadyEnabled: {
    status: 409,
    slug: 'two-factor-already-enabled',
    title: 'Two-factor authentication is on',
    detail: 'Two-factor authentication is enabled already.',
  },
  TwoFactorNotPending: {
    status: 409,
    slug: 'two-factor-not-pending',
    title: 'No setup to confirm',
    detail: 'There is no two-factor setup to confirm.',
  },
  TwoFactorNotEnabled: {
    status: 409,
    slug: 'two-factor-not-enabled',
    title: 'Two-factor authentication is off',
    detail: 'Two-factor authentication is not enabled.',
  },
  TwoFactorEnforced: {
    status: 403,
    slug: 'two-factor-enforced',
    title: 'Two-factor authentication is enforced',
    detail: 'An organization of yours requires two-factor authentication.',
  },
  TwoFactorRequired: {
    status: 403,
    slug: 'two-factor-required',
    title: 'Two-factor authentication required',
    detail: 'The organization requires two-factor authentication. Set it up first.',
  },
  PageTooLarge: {
    status: 422,
    slug: 'validation-failed',
    title: 'Validation failed',
    detail: 'The page would be too large.',
  },
  PasswordTooCommon: {
    status: 422,
    slug: 'validation-failed',
    title: 'Validation failed',
    detail: 'The password is too common.',
  },
  WrongCurrentPassword: {
    status: 422,
    slug: 'validation-failed',
    title: 'Validation failed',
    detail: 'The current password is wrong.',
  },
  UserNotShared: {
    status: 403,
    slug: 'forbidden',
    title: 'Forbidden',
    detail: 'You share no organization with this user.',
  },
  SessionNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such session.' },
  SessionRequired: {
    status: 403,
    slug: 'session-required',
    title: 'Session required',
    detail: 'This request needs a signed-in user; API tokens are not accepted.',
  },
  ReadOnlyToken: {
    status: 403,
    slug: 'read-only-token',
    title: 'Read-only token',
    detail: 'The API token may only read.',
  },
  ApiTokenNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such API token.' },
  FoundingDenied: {
    status: 403,
    slug: 'forbidden',
    title: 'Forbidden',
    detail: 'An API token made for some organizations cannot found others.',
  },
  OrganizationNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such organization.',
  },
  OrganizationNotEmpty: {
    status: 409,
    slug: 'organization-not-empty',
    title: 'Organization not empty',
    detail: 'The organization still has zones.',
  },
  OwnSecondFactorMissing: {
    status: 409,
    slug: 'own-second-factor-missing',
    title: 'Two-factor authentication is off',
    detail: 'Enable two-factor authentication for yourself first.',
  },
  MemberNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such member in the organization.',
  },
  LastOwner: { status: 409, slug: 'last-owner', title: 'Last owner', detail: 'An organization needs an owner.' },
  InvitationNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such invitation.' },
  InvitationPending: {
    status: 409,
    slug: 'invitation-pending',
    title: 'Invitation pending',
    detail: 'The address has a pending invitation.',
  },
  InvitationEnded: {
    status: 409,
    slug: 'invitation-ended',
    title: 'Invitation ended',
    detail: 'The invitation is no longer pending.',
  },
  InvitationResendLimit: {
    status: 409,
    slug: 'invitation-resend-limit',
    title: 'Invitation sent too often',
    detail: 'The invitation was sent as often as one may be.',
  },
  InvitationTokenInvalid: {
    status: 400,
    slug: 'invalid-token',
    title: 'Invalid token',
    detail: 'The token is invalid or has expired.',
  },
  InvitationForAnother: {
    status: 403,
    slug: 'invitation-for-another',
    title: 'Forbidden',
    detail: 'The invitation was sent to another address.',
  },
  OriginServerNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such origin server in the organization.',
  },
  LoadBalancerNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such load balancer in the organization.',
  },
  BackendInUse: {
    status: 409,
    slug: 'backend-in-use',
    title: 'Backend in use',
    detail: 'Zones, rules or load balancers still use the backend.',
  },
  TooManyRequests: {
    status: 429,
    slug: 'too-many-requests',
    title: 'Too many requests',
    detail: 'Too many attempts. Try again later.',
  },
  NotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such resource.' },
  MethodNotAllowed: {
    status: 405,
    slug: 'method-not-allowed',
    title: 'Method not allowed',
    detail: 'The resource does not support this method.',
  },
  NotAcceptable: {
    status: 406,
    slug: 'not-acceptable',
    title: 'Not acceptable',
    detail: 'None of the requested formats is supported.',
  },
  UnsupportedMediaType: {
    status: 415,
    slug: 'unsupported-media-type',
    title: 'Unsupported media type',
    detail: 'The format of the request body is not supported.',
  },
  PayloadTooLarge: {
    status: 413,
    slug: 'payload-too-large',
    title: 'Payload too large',
    detail: 'The request body is too large.',
  },
  MalformedBody: {
    status: 400,
    slug: 'malformed-body',
    title: 'Malformed body',
    detail: 'The request body cannot be read.',
  },
  InvalidQuery: {
    status: 400,
    slug: 'invalid-query',
    title: 'Invalid query',
    detail: 'Some query parameters are not valid.',
  },
  MissingBodyMember: {
    status: 400,
    slug: 'validation-failed',
    title: 'Validation failed',
    detail: 'A required member is missing.',
  },
  InvalidIdempotencyKey: {
    status: 400,
    slug: 'invalid-idempotency-key',
    title: 'Invalid idempotency key',
    detail: 'Idempotency-Key should be 1 to 255 visible ASCII characters.',
  },
  IdempotencyKeyReused: {
    status: 422,
    slug: 'idempotency-key-reused',
    title: 'Idempotency key reused',
    detail: 'The Idempotency-Key was used for another request.',
  },
  ForeignOrigin: {
    status: 403,
    slug: 'foreign-origin',
    title: 'Forbidden',
    detail: 'Requests with cookies are accepted from the own origin only.',
  },
  ServiceUnavailable: {
    status: 503,
    slug: 'service-unavailable',
    title: 'Service unavailable',
    detail: 'The service cannot answer at this moment. Try again.',
  },
  PayloadsUnread: {
    status: 503,
    slug: 'service-unavailable',
    title: 'Service unavailable',
    detail: 'Too many large requests and answers are under way. Read the answers, then try again.',
  },
  InternalError: {
    status: 500,
    slug: 'internal-error',
    title: 'Internal error',
    detail: 'Something went wrong. The failure has been recorded.',
  },
} as const satisfies Record<ApiError['type'], Problem>;

/** The kinds of problems, as `/errors/<slug>` names them. */
export type ProblemSlug = (typeof problems)[keyof typeof problems]['slug'];

/** What to do about each kind of problem, for the page about it. */
export const advice = {
  'account-inactive':
    'Follow the link in the verification mail, or ask for a new one at POST /api/auth/resend-verification.',
  'backend-in-use': 'Look at usedBy: let zones, rules and load balancers use another backend, then delete it.',
  'basic-auth-user-in-use': 'Look at usedBy: change the settings and rules that need the user, then delete it.',
  forbidden:
    'Ask an owner or admin of the organization for a role that includes this, or use a token with a wider scope.',
  'foreign-origin': 'Send an Authorization header in place of cookies, or have the origin added to CORS_ORIGINS.',
  'idempotency-key-reused':
    'Send another key with another request; repeat a request with its own key and the same body.',
  'internal-error': 'Try again, and report the requestId of the answer if it happens again.',
  'invalid-challenge': 'Log in once more: the answer carries a fresh challenge.',
  'invalid-credentials': 'Check the address and the password, or set a new password at POST /api/auth/forgot-password.',
  'invalid-idempotency-key': 'Send a key such as a UUID, or none at all.',
  'invalid-query': 'Mend the parameters that the violations name; the documentation lists those of each list.',
  'invalid-refresh-token': 'Log in again, and use each refresh token once.',
  'invalid-token': 'Ask for a new mail: only the newest link works, and only once.',
  'invalid-verification-code':
    'Enter the code that your authenticator app shows now, and check the clock of your device.',
  'invitation-ended': 'Create a new invitation.',
  'invitation-for-another': 'Sign in with the account of the address to which the invitation was sent.',
  'invitation-pending': 'Send the pending invitation again, or revoke it first.',
  'invitation-resend-limit': 'Revoke the invitation and create a new one.',
  'last-owner': 'Make another member an owner first.',
  'malformed-body':
    'Send JSON of the shape that the detail asks for, with a Content-Type that the documentation names.',
  'method-not-allowed': 'Use one of the methods in the header Allow.',
  'not-acceptable': 'Ask for one of the media types that the detail lists.',
  'not-found': 'Check the address and the ids in it; what was deleted does not come back.',
  'organization-not-empty': 'Delete the zones of the organization first.',
  'own-second-factor-missing': 'Set up two-factor authentication at POST /api/2fa/setup, then try again.',
  'payload-too-large': 'Send less at once.',
  'precondition-failed':
    'Read the resource again, apply your change to what it is now, and send its new ETag as If-Match.',
  'precondition-required': 'Read the list, and send its ETag as If-Match.',
  'read-only-token': 'Use a token that may write.',
  'refresh-token-reused':
    'Log in again; if it was not your own program that used the token twice, change your password.',
  'registration-conflict': 'Log in, or set a new password, if the address has an account already.',
  'service-unavailable': 'Try again after the seconds that the header Retry-After names.',
  'session-required': 'Sign in as a person and use the access token of that session.',
  'too-many-requests': 'Wait for the seconds that the header Retry-After names.',
  'two-factor-already-enabled': 'Disable two-factor authentication first if you want to set it up anew.',
  'two-factor-enforced': 'Leave two-factor authentication on, or leave the organization that requires it.',
  'two-factor-not-enabled': 'Set up two-factor authentication first, at POST /api/2fa/setup.',
  'two-factor-not-pending': 'Begin a setup at POST /api/2fa/setup and confirm it within 15 minutes.',
  'two-factor-required': 'Set up two-factor authentication at POST /api/2fa/setup and confirm it.',
  unauthenticated: 'Send a live access token as Authorization: Bearer, or an API token as X-API-TOKEN.',
  'unsupported-media-type': 'Send one of the media types that the detail lists, without compression.',
  'validation-failed': 'Mend the values that the violations name and send the request again.',
} as const satisfies Record<ProblemSlug, string>;

/** Same tag, other status on one route: auth endpoints answer 400 to a body that breaks a constraint. */
export type ProblemOverrides = Readonly<Partial<Record<ApiError['type'], Partial<Problem>>>>;

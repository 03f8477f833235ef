import type { DomainError, Violation } from '@zonewright/core';
import type { SeveralCredentials } from '../http/credentials.ts';
import type { ForeignOrigin } from '../http/origin.ts';

/** How an error is reported to clients (RFC 9457). `type` is `/errors/<slug>`. */
export interface Problem {
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
  /** The cookies that the response clears. */
  readonly clears?: 'session' | 'challenge';
}

/** Request errors that are not domain errors. */
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
  | SeveralCredentials
  | ForeignOrigin
  | { readonly type: 'ChallengeMissing' }
  | { readonly type: 'ReadOnlyToken' }
  | { readonly type: 'InvalidIdempotencyKey' }
  | { readonly type: 'IdempotencyKeyReused' }
  /** `isRepeated`: the same rejection was sent before, so it is not logged as a new event. */
  | { readonly type: 'TooManyRequests'; readonly retryAfterSeconds: number; readonly isRepeated?: boolean }
  | { readonly type: 'ServiceUnavailable'; readonly retryAfterSeconds: number }
  | PayloadsUnread
  | { readonly type: 'InternalError' };

/** The memory for large payloads is used up, for this caller or overall. */
export interface PayloadsUnread {
  readonly type: 'PayloadsUnread';
  readonly retryAfterSeconds: number;
}
export const payloadsUnread = (): PayloadsUnread => ({ type: 'PayloadsUnread', retryAfterSeconds: 1 });

/** Every error with a row in `problems`. */
export type ApiError = DomainError | HttpError;

/** The only place that maps errors to HTTP statuses. A new tag without a row does not compile. */
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
    detail: 'An account cannot be registered with this data.',
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
  AnalysisBusy: {
    status: 503,
    slug: 'service-unavailable',
    title: 'Service unavailable',
    detail: 'Too much is being analyzed at the moment. Try again later.',
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
    detail: 'This request requires valid credentials.',
  },
  SeveralCredentials: {
    status: 401,
    slug: 'unauthenticated',
    title: 'Authentication required',
    detail: 'The request carries several credentials. Send one: either Authorization or X-API-TOKEN, and only once.',
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
    detail: 'The refresh token has already been used. All sessions of the user have been ended.',
    clears: 'session',
  },
  PermissionDenied: {
    status: 403,
    slug: 'forbidden',
    title: 'Forbidden',
    detail: 'You do not have permission to do this.',
  },
  BasicAuthUserNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'The zone has no such basic-auth user.',
  },
  BasicAuthUserInUse: {
    status: 409,
    slug: 'basic-auth-user-in-use',
    title: 'Basic-auth user in use',
    detail: 'The zone or its rules refer to the user, or require at least one user and this is the last one.',
  },
  RevisionNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'There is no such revision, or it is not kept any more.',
  },
  ChangeSetNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'The zone has no such change set.',
  },
  ChangeSetClosed: {
    status: 409,
    slug: 'change-set-closed',
    title: 'Change set closed',
    detail: 'The change set has been applied or discarded.',
  },
  MergeConflicted: {
    status: 409,
    slug: 'change-set-conflict',
    title: 'Change set in conflict',
    detail: 'The zone has changed in places that the change set changes as well.',
  },
  PreconditionRequired: {
    status: 428,
    slug: 'precondition-required',
    title: 'Precondition required',
    detail: 'This request requires an If-Match header: the ETag of the state being replaced, or *.',
  },
  PromotionNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'The zone has no such promotion.',
  },
  SourceChanged: {
    status: 412,
    slug: 'precondition-failed',
    title: 'Precondition failed',
    detail: 'The zone to promote from has changed since you read it.',
  },
  ZoneNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such zone.' },
  DeletedZoneNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'The organization has no such deleted zone.',
  },
  RuleNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'The zone has no such rule.' },
  VersionMismatch: {
    status: 412,
    slug: 'precondition-failed',
    title: 'Precondition failed',
    detail: 'The resource has changed since you read it.',
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
    detail: 'This request requires a challenge from the login.',
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
    detail: 'Two-factor authentication is already enabled.',
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
    detail: 'One of your organizations requires two-factor authentication.',
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
    detail: 'This request requires a signed-in user; API tokens are not accepted.',
  },
  ReadOnlyToken: {
    status: 403,
    slug: 'read-only-token',
    title: 'Read-only token',
    detail: 'The API token is read-only.',
  },
  ApiTokenNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such API token.' },
  CreationDenied: {
    status: 403,
    slug: 'forbidden',
    title: 'Forbidden',
    detail: 'An API token that is restricted to certain organizations cannot create others.',
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
    detail: 'The organization has no such member.',
  },
  LastOwner: {
    status: 409,
    slug: 'last-owner',
    title: 'Last owner',
    detail: 'An organization must have at least one owner.',
  },
  InvitationNotFound: { status: 404, slug: 'not-found', title: 'Not found', detail: 'There is no such invitation.' },
  InvitationPending: {
    status: 409,
    slug: 'invitation-pending',
    title: 'Invitation pending',
    detail: 'The address already has a pending invitation.',
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
    detail: 'The invitation cannot be sent any more times.',
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
    detail: 'The organization has no such origin server.',
  },
  LoadBalancerNotFound: {
    status: 404,
    slug: 'not-found',
    title: 'Not found',
    detail: 'The organization has no such load balancer.',
  },
  BackendInUse: {
    status: 409,
    slug: 'backend-in-use',
    title: 'Backend in use',
    detail: 'The backend is still used by zones, rules or load balancers.',
  },
  TooManyRequests: {
    status: 429,
    slug: 'too-many-requests',
    title: 'Too many requests',
    detail: 'Too many requests. Try again later.',
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
    detail: 'The request body could not be parsed.',
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
    detail: 'The Idempotency-Key should consist of 1 to 255 visible ASCII characters.',
  },
  IdempotencyKeyReused: {
    status: 422,
    slug: 'idempotency-key-reused',
    title: 'Idempotency key reused',
    detail: 'The Idempotency-Key has already been used for a different request.',
  },
  ForeignOrigin: {
    status: 403,
    slug: 'foreign-origin',
    title: 'Forbidden',
    detail: 'Requests with cookies are not accepted from other origins.',
  },
  ServiceUnavailable: {
    status: 503,
    slug: 'service-unavailable',
    title: 'Service unavailable',
    detail: 'The service is temporarily unavailable. Try again.',
  },
  PayloadsUnread: {
    status: 503,
    slug: 'service-unavailable',
    title: 'Service unavailable',
    detail: 'Too many large requests and responses are in progress. Read the pending responses, then try again.',
  },
  InternalError: {
    status: 500,
    slug: 'internal-error',
    title: 'Internal error',
    detail: 'Something went wrong. The error has been logged.',
  },
} as const satisfies Record<ApiError['type'], Problem>;

/** Slugs of all problem types, as used in `/errors/<slug>`. */
export type ProblemSlug = (typeof problems)[keyof typeof problems]['slug'];

/** How to fix each problem; shown on its page. */
export const advice = {
  'account-inactive':
    'Follow the link in the verification e-mail, or request a new one at POST /api/auth/resend-verification.',
  'backend-in-use': 'Change the zones, rules and load balancers listed in usedBy to another backend, then delete it.',
  'basic-auth-user-in-use':
    'Change the settings and rules listed in usedBy so that they no longer need the user, then delete it.',
  'change-set-closed': 'Read the change set for its status, and create a new one.',
  'change-set-conflict':
    'Settle the conflicts at POST …/rebase: send `resolve` with `yours` or `theirs` for the path of each.',
  forbidden:
    'Ask an owner or admin of the organization for a role that allows this, or use a token with a wider scope.',
  'foreign-origin': 'Send an Authorization header instead of cookies, or have the origin added to CORS_ORIGINS.',
  'idempotency-key-reused':
    'Use a new key for each new request. To retry a request, send the same key with the same body.',
  'internal-error': 'Try again. If it keeps happening, report the requestId of the response.',
  'invalid-challenge': 'Log in again to get a new challenge.',
  'invalid-credentials':
    'Check the e-mail address and password, or request a password reset at POST /api/auth/forgot-password.',
  'invalid-idempotency-key': 'Send a key such as a UUID, or omit the header.',
  'invalid-query':
    'Fix the parameters listed in the violations; the documentation describes the parameters of each list.',
  'invalid-refresh-token': 'Log in again, and use each refresh token only once.',
  'invalid-token': 'Request a new e-mail. Only the newest link works, and only once.',
  'invalid-verification-code':
    'Enter the code that your authenticator app currently shows, and check the clock of your device.',
  'invitation-ended': 'Create a new invitation.',
  'invitation-for-another': 'Sign in with the account that has the e-mail address the invitation was sent to.',
  'invitation-pending': 'Resend the pending invitation, or revoke it first.',
  'invitation-resend-limit': 'Revoke the invitation and create a new one.',
  'last-owner': 'Make another member an owner first.',
  'malformed-body': 'Send JSON as described in the detail, with a Content-Type that the documentation lists.',
  'method-not-allowed': 'Use one of the methods listed in the Allow header.',
  'not-acceptable': 'Accept one of the media types listed in the detail.',
  'not-found': 'Check the URL and the ids in it. The resource may have been deleted.',
  'organization-not-empty': 'Delete the zones of the organization first.',
  'own-second-factor-missing': 'Set up two-factor authentication at POST /api/2fa/setup, then try again.',
  'payload-too-large': 'Send a smaller request body.',
  'precondition-failed': 'Read the resource again, reapply your change, and send the new ETag as If-Match.',
  'precondition-required': 'Read what you want to change, and send its ETag as If-Match.',
  'read-only-token': 'Use a token that is not read-only.',
  'refresh-token-reused': 'Log in again. If your own client did not use the token twice, change your password.',
  'registration-conflict': 'If you already have an account with this address, log in or reset the password.',
  'service-unavailable': 'Try again after the number of seconds in the Retry-After header.',
  'session-required': 'Sign in and use the access token of the session.',
  'too-many-requests': 'Wait for the number of seconds in the Retry-After header.',
  'two-factor-already-enabled': 'To set up two-factor authentication again, disable it first.',
  'two-factor-enforced': 'Keep two-factor authentication enabled, or leave the organization that requires it.',
  'two-factor-not-enabled': 'Set up two-factor authentication first, at POST /api/2fa/setup.',
  'two-factor-not-pending': 'Start the setup at POST /api/2fa/setup and confirm it within 15 minutes.',
  'two-factor-required': 'Set up two-factor authentication at POST /api/2fa/setup and confirm it.',
  unauthenticated: 'Send a valid access token as Authorization: Bearer, or an API token as X-API-TOKEN.',
  'unsupported-media-type': 'Send one of the media types listed in the detail, without compression.',
  'validation-failed': 'Fix the values listed in the violations and send the request again.',
} as const satisfies Record<ProblemSlug, string>;

/** Per-route overrides of this table: auth endpoints respond with 400 to invalid bodies. */
export type ProblemOverrides = Readonly<Partial<Record<ApiError['type'], Partial<Problem>>>>;

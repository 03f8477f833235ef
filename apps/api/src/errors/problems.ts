import type { DomainError, Violation } from '@zonewright/core';
import {
  conflict,
  forbidden,
  invalid,
  invalidChallenge,
  invalidToken,
  notFound,
  type Problem,
  preconditionFailed,
  problem,
  unauthenticated,
  unavailable,
} from './problem.ts';
import type {
  ComputationLost,
  ForeignOrigin,
  MisplacedCredential,
  SeveralCredentials,
  ThreadsBusy,
} from './request-errors.ts';

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
  | MisplacedCredential
  | ForeignOrigin
  | { readonly type: 'ChallengeMissing' }
  | { readonly type: 'ReadOnlyToken' }
  | { readonly type: 'InvalidIdempotencyKey' | 'IdempotencyKeyReused' }
  /** `isRepeated`: the same rejection was sent before, so it is not logged as a new event. */
  | { readonly type: 'TooManyRequests'; readonly retryAfterSeconds: number; readonly isRepeated?: boolean }
  | { readonly type: 'ServiceUnavailable' | 'PayloadsUnread' | 'TooManyAtOnce'; readonly retryAfterSeconds: number }
  | ThreadsBusy
  | ComputationLost
  | { readonly type: 'InternalError' };

/** The memory for large payloads is used up, for this caller or overall. */
export const payloadsUnread = (): HttpError => ({ type: 'PayloadsUnread', retryAfterSeconds: 1 });

/** Every error with a row in `problems`. */
export type ApiError = DomainError | HttpError;

/** The only place that maps errors to HTTP statuses. A new tag without a row does not compile. */
export const problems: Readonly<Record<ApiError['type'], Problem>> = {
  InvalidInput: invalid('Some values are not valid.'),
  EmailTaken: conflict(
    'registration-conflict',
    'An account cannot be registered with this data. If the address is yours, log in, or request a new password.',
    'If you already have an account with this address, log in or reset the password.',
    { title: 'Registration not possible' },
  ),
  MailedTokenInvalid: invalidToken('The token is invalid or has expired.'),
  AccountInactive: problem(
    403,
    'account-inactive',
    'The account is not active. Verify its e-mail address first.',
    'Follow the link in the verification e-mail, or request a new one at POST /api/auth/resend-verification.',
  ),
  AccountNotFound: notFound('There is no such resource.'),
  HashingBusy: unavailable('The service is busy. Try again in a moment.'),
  AnalysisBusy: unavailable('Too much is being analysed at the moment. Try again later.'),
  EvaluationTooLong: unavailable('This evaluation takes longer than is possible at the moment.'),
  InvalidCredentials: problem(
    401,
    'invalid-credentials',
    'The e-mail address or the password is wrong.',
    'Check the e-mail address and password, or request a password reset at POST /api/auth/forgot-password.',
  ),
  Unauthenticated: unauthenticated('This request requires valid credentials.'),
  SeveralCredentials: unauthenticated(
    'The request carries several credentials. Send one: either Authorization or X-API-TOKEN, and only once.',
  ),
  MisplacedCredential: unauthenticated(
    'This request requires valid credentials. Send an access token in Authorization, after the word Bearer, or an API token in X-API-TOKEN.',
  ),
  RefreshTokenInvalid: problem(
    401,
    'invalid-refresh-token',
    'The refresh token is invalid or has expired.',
    'Log in again, and use each refresh token only once.',
  ),
  RefreshTokenReused: problem(
    401,
    'refresh-token-reused',
    'The refresh token has already been used. All sessions of the user have been ended.',
    'Log in again. If your own client did not use the token twice, change your password.',
    { clears: 'session' },
  ),
  PermissionDenied: forbidden('You do not have permission to do this.'),
  BasicAuthUserNotFound: notFound('The zone has no such basic-auth user.'),
  BasicAuthUserInUse: conflict(
    'basic-auth-user-in-use',
    'The zone or its rules refer to the user, or require at least one user and this is the last one.',
    'Change the settings and rules listed in usedBy so that they no longer need the user, then delete it.',
    { title: 'Basic-auth user in use' },
  ),
  RevisionNotFound: notFound('There is no such revision, or it is no longer kept.'),
  ChangeSetNotFound: notFound('The zone has no such change set.'),
  ChangeSetClosed: conflict(
    'change-set-closed',
    'The change set has been applied or discarded.',
    'Read the change set for its status, and create a new one.',
  ),
  MergeConflicted: conflict(
    'change-set-conflict',
    'The zone has changed in places that the change set changes as well.',
    'Settle the conflicts at POST …/rebase: send `resolve` with `yours` or `theirs` for the path of each.',
    { title: 'Change set in conflict' },
  ),
  PreconditionRequired: problem(
    428,
    'precondition-required',
    'This request requires an If-Match header: the ETag of the state being replaced, or *.',
    'Read what you want to change, and send its ETag as If-Match.',
  ),
  PromotionNotFound: notFound('The zone has no such promotion.'),
  SourceChanged: preconditionFailed('The zone to promote from has changed since you read it.'),
  ZoneNotFound: notFound('There is no such zone.'),
  DeletedZoneNotFound: notFound('The organization has no such deleted zone.'),
  RuleNotFound: notFound('The zone has no such rule.'),
  VersionMismatch: preconditionFailed('The resource has changed since you read it.'),
  ChallengeInvalid: invalidChallenge('The challenge is invalid or has expired. Log in again.', { clears: 'challenge' }),
  ChallengeMissing: invalidChallenge('This request requires a challenge from the login.', {
    title: 'Challenge missing',
  }),
  InvalidVerificationCode: problem(
    422,
    'invalid-verification-code',
    'The verification code is not valid.',
    'Enter the code that your authenticator app currently shows, and check the clock of your device.',
  ),
  TwoFactorAlreadyEnabled: conflict(
    'two-factor-already-enabled',
    'Two-factor authentication is already enabled.',
    'To set up two-factor authentication again, disable it first.',
    { title: 'Two-factor authentication is on' },
  ),
  TwoFactorNotPending: conflict(
    'two-factor-not-pending',
    'There is no two-factor setup to confirm.',
    'Start the setup at POST /api/2fa/setup and confirm it within 15 minutes.',
    { title: 'No setup to confirm' },
  ),
  TwoFactorNotEnabled: conflict(
    'two-factor-not-enabled',
    'Two-factor authentication is not enabled.',
    'Set up two-factor authentication first, at POST /api/2fa/setup.',
    { title: 'Two-factor authentication is off' },
  ),
  TwoFactorEnforced: problem(
    403,
    'two-factor-enforced',
    'One of your organizations requires two-factor authentication.',
    'Keep two-factor authentication enabled, or leave the organization that requires it.',
    { title: 'Two-factor authentication is enforced' },
  ),
  TwoFactorRequired: problem(
    403,
    'two-factor-required',
    'The organization requires two-factor authentication. Set it up first.',
    'Set up two-factor authentication at POST /api/2fa/setup and confirm it.',
    { title: 'Two-factor authentication required' },
  ),
  PageTooLarge: invalid('The page would be too large.'),
  PasswordTooCommon: invalid('The password is too common.'),
  WrongCurrentPassword: invalid('The current password is wrong.'),
  UserNotShared: forbidden('You share no organization with this user.'),
  SessionNotFound: notFound('There is no such session.'),
  SessionRequired: problem(
    403,
    'session-required',
    'This request requires a signed-in user; API tokens are not accepted.',
    'Sign in and use the access token of the session.',
  ),
  ReadOnlyToken: problem(403, 'read-only-token', 'The API token is read-only.', 'Use a token that is not read-only.', {
    title: 'Read-only token',
  }),
  ApiTokenNotFound: notFound('There is no such API token.'),
  CreationDenied: forbidden('An API token that is restricted to certain organizations cannot create others.'),
  OrganizationNotFound: notFound('There is no such organization.'),
  OrganizationNotEmpty: conflict(
    'organization-not-empty',
    'The organization still has zones.',
    'Delete the zones of the organization first.',
  ),
  OwnSecondFactorMissing: conflict(
    'own-second-factor-missing',
    'Enable two-factor authentication for yourself first.',
    'Set up two-factor authentication at POST /api/2fa/setup, then try again.',
    { title: 'Two-factor authentication is off' },
  ),
  MemberNotFound: notFound('The organization has no such member.'),
  LastOwner: conflict(
    'last-owner',
    'An organization must have at least one owner.',
    'Make another member an owner first.',
  ),
  InvitationNotFound: notFound('There is no such invitation.'),
  InvitationPending: conflict(
    'invitation-pending',
    'The address already has a pending invitation.',
    'Resend the pending invitation, or revoke it first.',
  ),
  InvitationEnded: conflict('invitation-ended', 'The invitation is no longer pending.', 'Create a new invitation.'),
  InvitationResendLimit: conflict(
    'invitation-resend-limit',
    'The invitation cannot be sent any more times.',
    'Revoke the invitation and create a new one.',
    { title: 'Invitation sent too often' },
  ),
  InvitationTokenInvalid: invalidToken('The token is invalid or has expired.'),
  InvitationForAnother: problem(
    403,
    'invitation-for-another',
    'The invitation was sent to another address.',
    'Sign in with the account that has the e-mail address the invitation was sent to.',
    { title: 'Forbidden' },
  ),
  OriginServerNotFound: notFound('The organization has no such origin server.'),
  LoadBalancerNotFound: notFound('The organization has no such load balancer.'),
  BackendInUse: conflict(
    'backend-in-use',
    'The backend is still used by zones, rules or load balancers.',
    'Change the zones, rules and load balancers listed in usedBy to another backend, then delete it.',
  ),
  TooManyRequests: problem(
    429,
    'too-many-requests',
    'Too many requests. Try again later.',
    'Wait for the number of seconds in the Retry-After header.',
  ),
  NotFound: notFound('There is no such resource.'),
  MethodNotAllowed: problem(
    405,
    'method-not-allowed',
    'The resource does not support this method.',
    'Use one of the methods listed in the Allow header.',
  ),
  NotAcceptable: problem(
    406,
    'not-acceptable',
    'None of the requested formats is supported.',
    'Accept one of the media types listed in the detail.',
  ),
  UnsupportedMediaType: problem(
    415,
    'unsupported-media-type',
    'The format of the request body is not supported.',
    'Send one of the media types listed in the detail, without compression.',
  ),
  PayloadTooLarge: problem(413, 'payload-too-large', 'The request body is too large.', 'Send a smaller request body.'),
  MalformedBody: problem(
    400,
    'malformed-body',
    'The request body could not be parsed.',
    'Send JSON as described in the detail, with a Content-Type that the documentation lists.',
  ),
  InvalidQuery: problem(
    400,
    'invalid-query',
    'Some query parameters are not valid.',
    'Fix the parameters listed in the violations; the documentation describes the parameters of each list.',
  ),
  MissingBodyMember: invalid('A required member is missing.', { status: 400 }),
  InvalidIdempotencyKey: problem(
    400,
    'invalid-idempotency-key',
    'The Idempotency-Key should consist of 1 to 255 visible ASCII characters.',
    'Send a key such as a UUID, or omit the header.',
  ),
  IdempotencyKeyReused: problem(
    422,
    'idempotency-key-reused',
    'The Idempotency-Key has already been used for a different request.',
    'Use a new key for each new request. To retry a request, send the same key with the same body.',
  ),
  ForeignOrigin: problem(
    403,
    'foreign-origin',
    'Requests with cookies are not accepted from other origins.',
    'Send an Authorization header instead of cookies, or have the origin added to CORS_ORIGINS.',
    { title: 'Forbidden' },
  ),
  ServiceUnavailable: unavailable('The service is temporarily unavailable. Try again.'),
  PayloadsUnread: unavailable(
    'Too many large requests and responses are in progress. Read the pending responses, then try again.',
  ),
  TooManyAtOnce: unavailable('Too many of your requests are in progress. Wait for their responses, then try again.'),
  ThreadsBusy: unavailable('Too many requests that take long are waiting. Send fewer of them at once.'),
  ComputationLost: unavailable('This request takes too much time or memory. Make it smaller.'),
  InternalError: problem(
    500,
    'internal-error',
    'Something went wrong. The error has been logged.',
    'Try again. If it keeps happening, report the requestId of the response.',
  ),
};

/** Per-route overrides of this table: auth endpoints respond with 400 to invalid bodies. */
export type ProblemOverrides = Readonly<Partial<Record<ApiError['type'], Partial<Problem>>>>;

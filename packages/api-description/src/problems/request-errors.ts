import type { Violation } from '@zonewright/core';

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
  | {
      readonly type: 'TooManyRequests' | 'ServiceUnavailable' | 'PayloadsUnread' | 'TooManyAtOnce';
      readonly retryAfterSeconds: number;
    }
  | ThreadsBusy
  | ComputationLost
  | { readonly type: 'InternalError' };

/** The memory for large payloads is used up, for this caller or overall. */
export const payloadsUnread = (): HttpError => ({ type: 'PayloadsUnread', retryAfterSeconds: 1 });

/** The server must never guess which one counts. */
export type SeveralCredentials = Readonly<{ type: 'SeveralCredentials' }>;

/** A token in a header field or scheme that is not for it. */
export type MisplacedCredential = Readonly<{ type: 'MisplacedCredential' }>;

/** A page of another site used a visitor's cookies. */
export type ForeignOrigin = Readonly<{ type: 'ForeignOrigin' }>;

/** Too many requests of the caller wait for a request thread, or they have waited for too long. */
export type ThreadsBusy = Readonly<{ type: 'ThreadsBusy'; retryAfterSeconds: number }>;

/** The computation takes too much time or memory; it is not tried again for a while. */
export type ComputationLost = Readonly<{ type: 'ComputationLost'; retryAfterSeconds: number }>;

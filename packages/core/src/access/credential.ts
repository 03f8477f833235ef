import type { ResultAsync } from 'neverthrow';
import type { SessionId, UserId } from '../shared/ids.ts';
import type { TokenHash } from '../shared/token-hash.ts';
import type { Caller } from './caller.ts';

/** A credential whose signature or checksum is right: it was live once, and only storage knows whether it is now. */
export type PlausibleCredential =
  | { readonly kind: 'session'; readonly sessionId: SessionId; readonly userId: UserId }
  | { readonly kind: 'apiToken'; readonly hash: TokenHash };

/** The caller as storage knows them: where a request comes from is for others to say. */
export type RecognizedCaller = Omit<Caller, 'client'>;

/**
 * What one look at storage found: who presents a credential, and what they asked for. The memberships of the caller are
 * those that what was found depends on, not all there are.
 */
export interface Recognized<T> {
  readonly caller: RecognizedCaller;
  readonly found: T;
}

/** A read by credential. Whether the caller is admitted can be decided before the answer is asked for. */
export interface RecognizedRead<T, E> {
  readonly caller: Caller;
  readonly answer: () => ResultAsync<T, E>;
}

import type { SessionId, UserId } from '../../kernel/shared/ids.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { Caller } from './caller.ts';
import type { ForeignNetwork, Unauthenticated } from './errors.ts';

/** A credential whose signature or checksum is valid. Only storage knows whether it is still live. */
export type PlausibleCredential =
  | { readonly kind: 'session'; readonly sessionId: SessionId; readonly userId: UserId }
  | {
      readonly kind: 'apiToken';
      readonly hash: TokenHash;
      /** The address that the token is presented from, if it came over a network. */
      readonly address?: string | undefined;
    };

/** The caller as storage knows them, without the client a request comes from. */
export type AuthenticatedCaller = Omit<Caller, 'client'>;

/** Why a plausible credential does not authenticate anybody. */
export type CallerError = Unauthenticated | ForeignNetwork;

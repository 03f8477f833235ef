import type { z } from 'zod';
import type { SessionId, UserId } from '../../kernel/shared/ids.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';

/** How long a passkey may take to answer: five minutes. */
export const passkeyChallengeSeconds = 5 * 60;

/** What an authenticator signs, once: 32 random bytes in base64url (Web Authentication Level 3, section 13.4.3). */
export type PasskeyChallenge = string & z.$brand<'PasskeyChallenge'>;

/** What a challenge is for. It serves nothing else. */
export type PasskeyPurpose =
  | { readonly kind: 'registration'; readonly of: UserId }
  | { readonly kind: 'sign-in'; readonly of: 'anyone' }
  /** The second step of one sign-in: that with this challenge. */
  | { readonly kind: 'second-factor'; readonly of: TokenHash }
  | { readonly kind: 'confirmation'; readonly of: SessionId };

import { z } from 'zod';
import type { ProviderId } from '../../kernel/shared/ids.ts';
import { coded } from '../../kernel/shared/parse.ts';
import type { AccessClaims } from '../sessions/session.ts';

/** How long a person may take at the provider. A spent state is remembered as long. */
export const flowLifetimeSeconds = 10 * 60;

/**
 * A path of this service to return to. What browsers read as another host is refused: `//host`, backslashes, and
 * control characters, which they leave out (WHATWG URL, section 4.4). Visible ASCII, at most 1000 characters.
 */
export const ReturnPath = z
  .string()
  .max(1000)
  .refine(
    (path) => /^\/(?!\/)[!-[\]-~]*$/.test(path),
    coded('returnTo.path', 'This value is not a path of this service.'),
  )
  .brand<'ReturnPath'>();
export type ReturnPath = z.infer<typeof ReturnPath>;

/** Where a flow returns to if nobody has said. */
export const defaultReturnPath: ReturnPath = ReturnPath.parse('/');

/** What only the browser that began a flow has: each is 256 random bits. */
export interface FlowSecrets {
  /** Ties the answer of the provider to the browser (RFC 9700 section 4.7). */
  readonly state: string;
  /** Ties the ID token to the flow (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
  /** Proves to the provider that who redeems the code began the flow (RFC 7636). */
  readonly codeVerifier: string;
}

/** A flow on its way through the provider; the browser keeps it, encrypted. */
export interface SignInFlow extends FlowSecrets {
  readonly provider: ProviderId;
  readonly returnTo: ReturnPath;
  /** The session that links the identity to its account; undefined: the flow signs in. */
  readonly linking: AccessClaims | undefined;
}

/** The parameters that a provider sends the browser back with (RFC 6749 section 4.1.2, RFC 9207). */
export interface AuthorizationAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

/** A code that a program has obtained by a flow of its own. */
export interface CodeGrant {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

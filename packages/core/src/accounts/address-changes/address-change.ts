import { z } from 'zod';
import { Email } from '../../kernel/mail/email.ts';
import type { ApiTokenId, IdentityId, PasskeyId, ProviderId } from '../../kernel/shared/ids.ts';
import { confirmationSeconds } from '../../organizations/access/permissions.ts';

/** The body of a request for a new address. */
export const AddressChange = z.object({ email: Email });
export type AddressChange = z.infer<typeof AddressChange>;

/** How long the link to the new address works. */
export const confirmAddressSeconds = 24 * 60 * 60;

/** How long the link to the old address brings it back; until then nobody else can have it. */
export const undoAddressSeconds = 7 * 24 * 60 * 60;

/** Changes that a user may request in an hour: each sends a mail to an address that may be a stranger's. */
export const addressChangesPerHour = 3;

/**
 * How long before the request undoing looks back: whoever asked for the change had confirmed their session by then, and
 * may have added a passkey first.
 */
export const undoneBeforeSeconds = confirmationSeconds;

/** What gave access to an account until undoing a change ended it. */
export type EndedAccess =
  | { readonly kind: 'passkey'; readonly id: PasskeyId }
  | { readonly kind: 'identity'; readonly id: IdentityId; readonly provider: ProviderId }
  | { readonly kind: 'apiToken'; readonly id: ApiTokenId }
  /** An authenticator app with its recovery codes. */
  | { readonly kind: 'authenticator' }
  | { readonly kind: 'password' };

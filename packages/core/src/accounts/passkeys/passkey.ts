import { z } from 'zod';
import type { PasskeyId } from '../../kernel/shared/ids.ts';
import { text } from '../../kernel/shared/text.ts';
import { CreationResponse } from './response.ts';

/** The name of a passkey, by which its user recognizes it: 1 to 100 code points, trimmed. */
export const PasskeyName = text({ min: 1, max: 100 }).brand<'PasskeyName'>();
export type PasskeyName = z.infer<typeof PasskeyName>;

/** Passkeys per user. */
export const maxPasskeys = 20;

/** The id that the authenticator gave a credential, in base64url (Web Authentication Level 3, "credential ID"). */
export type CredentialId = string & z.$brand<'CredentialId'>;

/** A passkey as its user sees it. */
export interface Passkey {
  readonly id: PasskeyId;
  readonly credentialId: CredentialId;
  readonly name: PasskeyName;
  /** How its authenticator can be reached, as the browser said (Web Authentication Level 3, "AuthenticatorTransport"). */
  readonly transports: readonly string[];
  /** Whether the authenticator has copied it elsewhere, such as to the user's other devices. */
  readonly backedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
}

/** A new passkey: its name, and the response of the authenticator that made it. */
export const PasskeyDraft = z.strictObject({ name: PasskeyName, response: CreationResponse });
export type PasskeyDraft = z.infer<typeof PasskeyDraft>;

/** What a user may change in a passkey. */
export const PasskeySettings = z.strictObject({ name: PasskeyName.optional() });
export type PasskeySettings = z.infer<typeof PasskeySettings>;

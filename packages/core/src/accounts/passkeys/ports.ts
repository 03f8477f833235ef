import type { ResultAsync } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import type { PasskeyId, UserId } from '../../kernel/shared/ids.ts';
import type { JsonObject } from '../../kernel/shared/json.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { AccountStanding, CredentialsVersion } from '../accounts/account.ts';
import type { PasskeyChallenge } from './challenge.ts';
import type { PasskeyNotFound, PasskeyRefused, PasskeyTaken } from './errors.ts';
import type { CredentialId, Passkey, PasskeyName } from './passkey.ts';
import type { AssertionResponse, CreationResponse } from './response.ts';

/** What a new passkey consists of besides its name. */
export interface PasskeyCredential {
  readonly credentialId: CredentialId;
  /** A COSE key (RFC 9052 section 7) in base64url. */
  readonly publicKey: string;
  /** How often the authenticator says that it has signed; 0 if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
}

/** A stored passkey with the account that it signs in to. */
export interface HeldPasskey extends Pick<PasskeyCredential, 'credentialId' | 'publicKey'> {
  readonly id: PasskeyId;
  readonly userId: UserId;
  readonly standing: AccountStanding;
  readonly credentialsVersion: CredentialsVersion;
}

/** What an authenticator says when it is used. */
export type PasskeyUse = Pick<PasskeyCredential, 'counter' | 'backedUp'>;

/** Passkeys of users. A credential id belongs to one passkey in the whole installation. */
export interface Passkeys {
  /** Of concurrent additions of one credential, exactly one succeeds. */
  add(
    passkey: PasskeyCredential & { readonly id: PasskeyId; readonly userId: UserId; readonly name: PasskeyName },
  ): ResultAsync<Passkey, PasskeyTaken>;
  /** Makes other units that add or remove passkeys of the user wait; resolves to how many the user has. */
  lockCount(user: UserId): ResultAsync<number, never>;
  /** Oldest first. */
  list(user: UserId, page: PageRequest): ResultAsync<Page<Passkey>, never>;
  /** Without a name, it stays as it is. */
  rename(user: UserId, id: PasskeyId, name: PasskeyName | undefined): ResultAsync<Passkey, PasskeyNotFound>;
  remove(user: UserId, id: PasskeyId): ResultAsync<void, PasskeyNotFound>;
  held(credential: CredentialId): ResultAsync<HeldPasskey | undefined, never>;
  /**
   * Atomic by itself: records a use now. Resolves to false without writing anything if the counter has not grown, although
   * the authenticator counts: there may be a copy of it (Web Authentication Level 3, section 6.1.1).
   */
  noteUse(id: PasskeyId, use: PasskeyUse): ResultAsync<boolean, never>;
}

/** Challenges to passkeys, stored as hashes. Expired ones may be deleted at any time. */
export interface PasskeyChallenges {
  /** Atomic by itself. */
  issue(hash: TokenHash, lifetimeSeconds: number): ResultAsync<void, never>;
  /** Atomic by itself: uses the challenge up; of concurrent calls, exactly one succeeds. */
  spend(hash: TokenHash): ResultAsync<void, PasskeyRefused>;
}

/** The two ceremonies of Web Authentication: what browsers are asked, and the checks of what authenticators respond. */
export interface PasskeyCeremonies {
  /** Asks a browser (navigator.credentials.create) for a passkey that needs no user name and verifies its user. */
  creationOptions(request: {
    readonly challenge: PasskeyChallenge;
    readonly user: { readonly id: UserId; readonly email: Email };
    /** Those that the authenticator may already have. */
    readonly others: readonly Passkey[];
  }): ResultAsync<JsonObject, never>;
  /** Asks a browser (navigator.credentials.get) for a signature; without passkeys, any of the site may answer. */
  requestOptions(request: {
    readonly challenge: PasskeyChallenge;
    readonly passkeys: readonly Passkey[] | undefined;
  }): ResultAsync<JsonObject, never>;
  /** The challenge that a response says it answers; undefined if it names none. Proves nothing. */
  challengeIn(response: CreationResponse | AssertionResponse): PasskeyChallenge | undefined;
  /** Checks a new passkey (Web Authentication Level 3, section 7.1). */
  verifyCreation(
    response: CreationResponse,
    challenge: PasskeyChallenge,
  ): ResultAsync<PasskeyCredential, PasskeyRefused>;
  /**
   * Checks a signature (Web Authentication Level 3, section 7.2), except for the counter. Takes the same time without a
   * passkey, so that timing does not reveal which ones exist. `namesUser`: the response must say whose passkey it is.
   */
  verifyAssertion(
    response: AssertionResponse,
    expected: {
      readonly challenge: PasskeyChallenge;
      readonly passkey: HeldPasskey | undefined;
      readonly namesUser: boolean;
    },
  ): ResultAsync<PasskeyUse, PasskeyRefused>;
}

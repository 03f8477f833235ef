import type { ResultAsync } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import type { IdentityId, ProviderId, UserId } from '../../kernel/shared/ids.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { AccountFacts } from '../accounts/ports.ts';
import type {
  AttestationRefused,
  FlowInvalid,
  IdentityNotFound,
  IdentityTaken,
  ProviderAlreadyLinked,
  ProviderUnavailable,
  SignInDeclined,
} from './errors.ts';
import type { AuthorizationAnswer, CodeGrant, FlowSecrets, SignInFlow } from './flow.ts';
import type { Attestation, Identity, ProviderSubject, SignInProvider } from './identity.ts';

/** Why a provider's answer attests nothing. */
export type NoAttestation = ProviderUnavailable | AttestationRefused | SignInDeclined;

/** The providers that people can sign in by. One that is away breaks only itself. Ids are those of `all`. */
export interface SignInProviders {
  /** In the order of the configuration. */
  readonly all: readonly SignInProvider[];
  /** The address at the provider where a flow begins. */
  authorizationUrl(provider: ProviderId, secrets: FlowSecrets): ResultAsync<string, ProviderUnavailable>;
  /** Redeems the code in the answer of a provider, and checks everything that it says. */
  attest(
    provider: ProviderId,
    answer: AuthorizationAnswer,
    secrets: FlowSecrets,
  ): ResultAsync<Attestation, NoAttestation>;
  /** The same for a code that somebody else has received. */
  redeem(provider: ProviderId, grant: CodeGrant): ResultAsync<Attestation, NoAttestation>;
}

/** Encrypts flows for the browsers that keep them. */
export interface SealedFlows {
  seal(flow: SignInFlow): string;
  /** Undefined if the text was not sealed here, or longer than `flowLifetimeSeconds` ago. */
  open(sealed: string): SignInFlow | undefined;
}

/** An account, and the identity that leads to it. */
export interface IdentifiedAccount extends AccountFacts {
  /** The provider under which the identity is linked. */
  readonly provider: ProviderId;
}

/** Identities linked to accounts. A subject belongs to one account, and an account has one of each provider. */
export interface Identities {
  /** Atomic by itself: notes that the identity is used now, and resolves to its account; undefined if it is not linked. */
  use(subject: ProviderSubject): ResultAsync<IdentifiedAccount | undefined, never>;
  /** Ordered by provider. */
  list(user: UserId): ResultAsync<readonly Identity[], never>;
  /**
   * Links an identity, which is a change of the profile; of concurrent links of one identity or to one account, one
   * succeeds. Resolves to false if it is linked to the account already.
   */
  link(
    identity: ProviderSubject & {
      readonly id: IdentityId;
      readonly userId: UserId;
      readonly provider: ProviderId;
      readonly email: Email | undefined;
    },
  ): ResultAsync<boolean, IdentityTaken | ProviderAlreadyLinked>;
  /** Removes an identity of a locked account, which is a change of the profile. */
  unlink(user: UserId, id: IdentityId): ResultAsync<void, IdentityNotFound>;
}

/** States of flows that are over, as hashes. Rows older than `flowLifetimeSeconds` may be deleted at any time. */
export interface SpentStates {
  /** Atomic by itself; of concurrent calls, exactly one succeeds. */
  spend(hash: TokenHash): ResultAsync<void, FlowInvalid>;
}

/** Accounts whose address was never verified. */
export interface UnverifiedAccounts {
  /**
   * Deletes the account, and the organizations that have no other member, unless it is verified or blocked; then
   * nothing happens.
   */
  remove(user: UserId): ResultAsync<void, never>;
}

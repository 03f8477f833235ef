import { err, ok, type Result } from 'neverthrow';
import { type Email, emailKey } from '../../kernel/mail/email.ts';
import type { IdentityId, ProviderId } from '../../kernel/shared/ids.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import {
  type DomainNotAllowed,
  domainNotAllowed,
  type NoVerifiedAddress,
  noVerifiedAddress,
  type ProviderNotFound,
  providerNotFound,
} from './errors.ts';

/** A provider that people can sign in by, as the operator has configured it. */
export interface SignInProvider {
  readonly id: ProviderId;
  /** Shown to people. */
  readonly name: string;
  /** Only verified addresses of these domains may sign in by it; undefined: any may. In lower case. */
  readonly domains: readonly string[] | undefined;
  /** Where programs that run the flow themselves may have been sent back to. */
  readonly redirectUris: readonly string[];
}

/** Who somebody is at a provider: the only key of a linked identity (OpenID Connect Core section 5.7). */
export interface ProviderSubject {
  /** The issuer identifier of the provider. */
  readonly issuer: string;
  /** Never reassigned within the issuer; 1 to 255 ASCII characters. */
  readonly subject: string;
}

/** What a provider attests of the person who has just signed in there. */
export interface Attestation extends ProviderSubject {
  /** Undefined if the provider has not verified the address. */
  readonly email: Email | undefined;
  /** As the provider has them, unchecked. */
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly fullName?: string | undefined;
  /** Whether the provider vouches for a second factor, and the operator trusts it to. */
  readonly isMultiFactor: boolean;
}

/** An identity at a provider that is linked to an account. */
export interface Identity {
  readonly id: IdentityId;
  readonly provider: ProviderId;
  /** The address that the provider had verified when the identity was linked. */
  readonly email: Email | undefined;
  readonly connectedAt: Date;
  readonly lastUsedAt: Date | undefined;
}

/** How the audit log names what happens to identities. */
export const identityActions = {
  linked: 'identity.linked',
  unlinked: 'identity.unlinked',
} as const satisfies Record<string, AuditAction>;

/** The provider with this id. */
export const providerById = (
  providers: readonly SignInProvider[],
  id: ProviderId,
): Result<SignInProvider, ProviderNotFound> => {
  const provider = providers.find((each) => each.id === id);
  return provider === undefined ? err(providerNotFound()) : ok(provider);
};

/** Checks, at every sign-in and link, that the address is one that the operator admits: who has left is out. */
export function requireAdmitted(
  { domains }: Pick<SignInProvider, 'domains'>,
  { email }: Pick<Attestation, 'email'>,
): Result<void, NoVerifiedAddress | DomainNotAllowed> {
  if (domains === undefined) return ok();
  if (email === undefined) return err(noVerifiedAddress());
  const [, domain = ''] = emailKey(email).split('@');
  return domains.includes(domain) ? ok() : err(domainNotAllowed());
}

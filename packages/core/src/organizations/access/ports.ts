import type { ResultAsync } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import type { OrganizationId, ProviderId, UserId } from '../../kernel/shared/ids.ts';
import type { Membership } from './caller.ts';
import type { AuthenticatedCaller, CallerError, PlausibleCredential } from './credential.ts';
import type { AccountNotFound } from './errors.ts';
import type { EnrolledFactors } from './second-factor.ts';

/** A person as organizations know them: whom mails go to, and who sends them. */
export interface Person {
  /** The address as stored. */
  readonly email: Email;
  readonly firstName: string;
  readonly lastName: string;
}

/** The people who have an account, as far as organizations need them. */
export interface People {
  byId(id: UserId): ResultAsync<Person, AccountNotFound>;
  /** The second factors of the account, which is locked until the unit ends. */
  lockFactors(id: UserId): ResultAsync<EnrolledFactors, AccountNotFound>;
  /** The providers that the account signs in by. */
  providersOf(id: UserId): ResultAsync<readonly ProviderId[], never>;
}

/** What users may do in organizations, for units that need that not to change until they end. */
export interface Memberships {
  /** Locks the user's current membership until the unit ends. Undefined: not a member, or no such organization. */
  lock(organization: OrganizationId, user: UserId): ResultAsync<Membership | undefined, never>;
  /**
   * The user's organizations that require two-factor authentication; locks the requirement of all their organizations
   * until the unit ends.
   */
  lockEnforcing(user: UserId): ResultAsync<readonly OrganizationId[], never>;
  /** Whether the two users share an organization, or one of `among` if given. */
  shareOrganization(one: UserId, other: UserId, among?: readonly OrganizationId[]): ResultAsync<boolean, never>;
}

/** Storage as the holder of a credential opens it. */
export interface CallerStorage {
  session(credential: PlausibleCredential): {
    /** The holder of the credential with all memberships that it grants, as of now. */
    caller(): ResultAsync<AuthenticatedCaller, CallerError>;
  };
}

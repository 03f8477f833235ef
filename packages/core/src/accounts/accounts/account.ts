import { z } from 'zod';
import type { Email } from '../../kernel/mail/email.ts';
import { Email as EmailSchema } from '../../kernel/mail/email.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import { text } from '../../kernel/shared/text.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { Password } from './password.ts';

/** A first or last name: 1 to 100 code points, trimmed. */
export const PersonName = text({ min: 1, max: 100 }).brand<'PersonName'>();
export type PersonName = z.infer<typeof PersonName>;

/** An account that has never been verified is deleted after seven days. */
export const unverifiedAccountLifetimeSeconds = 7 * 24 * 60 * 60;

/** The body of a registration (interface, "Authentication endpoints"); unknown members are dropped. */
export const Registration = z.object({
  email: EmailSchema,
  password: Password,
  firstName: PersonName,
  lastName: PersonName,
});
export type Registration = z.infer<typeof Registration>;

/** A user's own view of the account (interface, "User (profile)"). */
export interface Profile {
  readonly id: UserId;
  readonly email: Email;
  readonly firstName: PersonName;
  readonly lastName: PersonName;
  readonly active: boolean;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  /** Whether one of the user's organizations requires two-factor authentication. */
  readonly twoFactorEnforced: boolean;
  readonly hasPassword: boolean;
  /** Names of the linked identity providers, sorted. */
  readonly connectedProviders: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
}

/** The profile shows the state of two-factor authentication, but changing that does not increment its revision. */
export const profileVersion = ({
  revision,
  twoFactorEnabled,
  twoFactorEnforced,
}: Pick<Profile, 'revision' | 'twoFactorEnabled' | 'twoFactorEnforced'>): Version =>
  `${revision}.${Number(twoFactorEnabled)}${Number(twoFactorEnforced)}`;

/** What users may change in their own profile. */
export const ProfileSettings = z.strictObject({ firstName: PersonName, lastName: PersonName });
export type ProfileSettings = z.output<typeof ProfileSettings>;

/** What fellow members see of a user. */
export type UserSummary = Pick<Profile, 'id' | 'email' | 'firstName' | 'lastName'>;

/**
 * Incremented by every change of the user's credentials; challenges and mailed tokens issued under an earlier version
 * are void.
 */
export type CredentialsVersion = number;

/** Only an active account with a verified address may have sessions (interface, "States and transitions"). */
export type AccountStanding = 'active' | 'inactive';

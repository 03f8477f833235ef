import { z } from 'zod';
import type { Email } from '../mail/email.ts';
import { Email as EmailSchema } from '../mail/email.ts';
import type { UserId } from '../shared/ids.ts';
import { text } from '../shared/text.ts';
import type { Version } from '../shared/version.ts';
import { Password } from './password.ts';

/** A first or a last name: 1 to 100 code points, trimmed. */
export const PersonName = text({ min: 1, max: 100 }).brand<'PersonName'>();
export type PersonName = z.infer<typeof PersonName>;

/** What registration asks for (interface, "Authentication endpoints"); further members are dropped. */
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
  /** Whether one of the user's organizations demands a second factor. */
  readonly twoFactorEnforced: boolean;
  readonly hasPassword: boolean;
  /** Names of the linked sign-in providers, sorted. */
  readonly connectedProviders: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
}

/** The second factor is shown in the profile but is no part of what its revision counts. */
export const profileVersion = ({
  revision,
  twoFactorEnabled,
  twoFactorEnforced,
}: Pick<Profile, 'revision' | 'twoFactorEnabled' | 'twoFactorEnforced'>): Version =>
  `${revision}.${Number(twoFactorEnabled)}${Number(twoFactorEnforced)}`;

/** What users change of their own profile. */
export const ProfileSettings = z.strictObject({ firstName: PersonName, lastName: PersonName });
export type ProfileSettings = z.output<typeof ProfileSettings>;

/** What fellow members see of a user. */
export type UserCard = Pick<Profile, 'id' | 'email' | 'firstName' | 'lastName'>;

/** Counts changes of what proves the user's identity; a value from before a change proves nothing any more. */
export type CredentialsVersion = number;

/** Only an active account with a verified address may have sessions (interface, "States and transitions"). */
export type AccountStanding = 'active' | 'inactive';

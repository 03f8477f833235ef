import { type ResourceDescription, readOnly, timestamp, uuid } from '@zonewright/api-description';
import { Email, PersonName, type Profile, profileVersion, type UserSummary } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf } from '../item.ts';

/** The members that users edit themselves. */
export const userNames = {
  firstName: PersonName.meta({ description: 'First name.', examples: ['Ada'] }),
  lastName: PersonName.meta({ description: 'Last name.', examples: ['Lovelace'] }),
} as const;

const cardMembers = {
  id: uuid('Id of the user.'),
  email: readOnly(Email, 'E-mail address the user signs in with.'),
  ...userNames,
} as const;

/** A user as fellow members see them. */
export const userResource = {
  type: 'User',
  title: 'user',
  description: 'A person with an account.',
  isLinkedFirst: true,
  schema: z.object(cardMembers),
} as const satisfies ResourceDescription;

/** Users as they see themselves. */
export const profileResource = {
  ...userResource,
  name: 'Profile',
  schema: z.object({
    ...cardMembers,
    active: readOnly(z.boolean(), 'False if the account has been deactivated.'),
    emailVerified: readOnly(z.boolean(), 'Whether the e-mail address has been verified.'),
    hasPassword: readOnly(z.boolean(), 'Whether the account has a password.'),
    twoFactorEnabled: readOnly(z.boolean(), 'Whether signing in requires a code in addition to the password.'),
    twoFactorEnforced: readOnly(
      z.boolean(),
      'Whether one of the organizations of the user requires two-factor authentication.',
    ),
    connectedProviders: readOnly(z.array(z.string()), 'Names of the linked sign-in providers, sorted.'),
    createdAt: timestamp('When the user registered.'),
    updatedAt: timestamp('When the names, the password or the verification status of the address last changed.'),
  }),
} as const satisfies ResourceDescription;

/** A user's own profile (interface, "User (profile)"). */
export const presentProfile = (profile: Profile) =>
  itemOf(profileResource, { iri: iri.user(profile.id), version: profileVersion(profile) }, profile);

/** A user as fellow members see them. */
export const presentUser = (user: UserSummary) => itemOf(userResource, { iri: iri.user(user.id) }, user);

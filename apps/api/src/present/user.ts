import { type Profile, profileVersion, type UserCard } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';

/** A user's own profile (interface, "User (profile)"). */
export const presentProfile = (profile: Profile): Item =>
  new Item({
    type: 'User',
    iri: iri.user(profile.id),
    version: profileVersion(profile),
    members: {
      id: profile.id,
      email: profile.email,
      firstName: profile.firstName,
      lastName: profile.lastName,
      active: profile.active,
      emailVerified: profile.emailVerified,
      hasPassword: profile.hasPassword,
      twoFactorEnabled: profile.twoFactorEnabled,
      twoFactorEnforced: profile.twoFactorEnforced,
      connectedProviders: profile.connectedProviders,
      createdAt: profile.createdAt,
      updatedAt: profile.updatedAt,
    },
  });

/** A user as fellow members see them. */
export const presentUser = (user: UserCard): Item =>
  new Item({
    type: 'User',
    iri: iri.user(user.id),
    members: { id: user.id, email: user.email, firstName: user.firstName, lastName: user.lastName },
  });

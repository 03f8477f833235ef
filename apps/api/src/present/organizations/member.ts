import { type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import { type Member, memberVersion, roles } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** A member of an organization. */
export const memberResource = {
  type: 'OrganizationMember',
  title: 'member',
  description: 'A user in an organization, with a role.',
  schema: z.object({
    id: uuid('Id of the user.'),
    user: readOnlyLink('User', 'The user.'),
    role: z.enum(roles).meta({
      description:
        'What the member can do: viewers can read, editors can also write, admins can also manage members, owners can do everything.',
      examples: ['editor'],
    }),
    joinedAt: timestamp('When the user joined.'),
    twoFactorEnabled: readOnly(
      z.boolean().optional(),
      'Whether the member has two-factor authentication enabled; visible to owners and admins only.',
    ),
  }),
} as const satisfies ResourceDescription;

/** A member; its id is the user's id. */
export const presentMember = (member: Member) =>
  itemOf(
    memberResource,
    { iri: iri.member(member), version: memberVersion(member) },
    { ...member, id: member.user, user: iri.user(member.user) },
  );

export const presentMembers = presentPage(memberResource.type, presentMember);

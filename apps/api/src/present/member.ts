import { type Member, memberVersion } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

/** A member; the id of the item is the id of the user. */
export const presentMember = (member: Member): Item =>
  new Item({
    type: 'OrganizationMember',
    iri: iri.member(member),
    version: memberVersion(member),
    members: {
      id: member.user,
      user: iri.user(member.user),
      role: member.role,
      joinedAt: member.joinedAt,
      twoFactorEnabled: member.twoFactorEnabled,
    },
  });

export const presentMembers = presentPage('OrganizationMember', presentMember);

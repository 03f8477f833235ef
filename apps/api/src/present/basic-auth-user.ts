import { type BasicAuthUser, basicAuthUserVersion, type Page, type PageRequest } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Collection, Item } from '../http/resource.ts';

/** A basic-auth user (interface, "Basic-auth user"); passwords and their hashes are never part of it. */
export const presentBasicAuthUser = (user: BasicAuthUser): Item =>
  new Item({
    type: 'BasicAuthUser',
    iri: iri.basicAuthUser(user),
    version: basicAuthUserVersion(user),
    members: {
      id: user.id,
      zone: iri.zone(user.zoneId),
      username: user.username,
      comment: user.comment,
      createdAt: user.createdAt,
      updatedAt: user.updatedAt,
    },
  });

/** The list is a collection object in both formats (interface, "Basic-auth users"). */
export const presentBasicAuthUsers = ({ items, totalItems }: Page<BasicAuthUser>, page: PageRequest): Collection =>
  new Collection({
    type: 'BasicAuthUser',
    items: items.map(presentBasicAuthUser),
    totalItems,
    page,
    plainForm: 'object',
    search: [{ variable: 'username', property: 'username' }],
  });

import { type ResourceDescription, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import {
  BasicAuthComment,
  type BasicAuthUser,
  BasicAuthUsername,
  basicAuthUserVersion,
  type Page,
  type PageRequest,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { Collection, type Item } from '../../resources/resource.ts';
import { itemOf } from '../item.ts';

/** An HTTP Basic Authentication user of a zone. */
export const basicAuthUserResource = {
  type: 'BasicAuthUser',
  title: 'basic-auth user',
  description: 'A user name and password for HTTP Basic Authentication on a zone. Passwords are never returned.',
  isLinkedFirst: true,
  schema: z.object({
    id: uuid('Id of the user.'),
    zone: readOnlyLink('Zone', 'The zone the user belongs to.'),
    username: BasicAuthUsername.meta({
      description: 'User name; unique within the zone, case-sensitive. Cannot be changed.',
      examples: ['ops'],
    }),
    comment: BasicAuthComment.meta({ description: 'A note about the user.', examples: ['On call'] }),
    createdAt: timestamp('When the user was created.'),
    updatedAt: timestamp('When the comment or password last changed.'),
  }),
} as const satisfies ResourceDescription;

/** A basic-auth user (interface, "Basic-auth user"), never with password or hash. */
export const presentBasicAuthUser = (user: BasicAuthUser): Item =>
  itemOf(
    basicAuthUserResource,
    { iri: iri.basicAuthUser(user), version: basicAuthUserVersion(user) },
    { ...user, zone: iri.zone(user.zoneId) },
  );

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

import { object, type ResourceDescription, readOnly, timestamp, uuid } from '@zonewright/api-description';
import { Email, type NamedIdentity, ProviderId, type SignInProvider } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { Item } from '../../resources/resource.ts';
import { presentPage } from '../item.ts';

const providerName = readOnly(z.string().meta({ examples: ['Example Corp'] }), 'Name of the provider, for people.');
const providerId = readOnly(ProviderId.meta({ examples: ['corp'] }), 'Id of the provider.');

/** A provider as people choose it. */
export const providerResource = {
  type: 'SignInProvider',
  title: 'sign-in provider',
  description: 'A provider that people can sign in by.',
  schema: z.object({ id: providerId, name: providerName }),
} as const satisfies ResourceDescription;

/** An identity at a provider, as the owner of the account sees it. */
export const identityResource = {
  type: 'LinkedIdentity',
  title: 'linked identity',
  description: 'An identity at a provider that signs in to your account.',
  schema: z.object({
    id: uuid('Id of the linked identity.'),
    provider: providerId,
    name: providerName,
    email: readOnly(Email.optional(), 'The address that the provider had verified when the identity was linked.'),
    connectedAt: timestamp('When the identity was linked.'),
    lastUsedAt: timestamp('When somebody last signed in by it.').optional(),
  }),
} as const satisfies ResourceDescription;

/** The answer to the begin of a link. */
export const startedLink = object(
  'StartedLink',
  z
    .object({ url: z.url().meta({ description: 'Send the browser there.' }) })
    .meta({ description: 'Where the browser signs in at the provider.' }),
);

const presentProvider = ({ id, name }: SignInProvider): Item =>
  new Item({ type: providerResource.type, iri: iri.provider(id), members: { id, name } });

const presentIdentity = ({ id, provider, name, email, connectedAt, lastUsedAt }: NamedIdentity): Item =>
  new Item({
    type: identityResource.type,
    iri: iri.identity(id),
    members: { id, provider, name, email, connectedAt, lastUsedAt },
  });

/** A page of providers. */
export const presentProviders = presentPage(providerResource.type, presentProvider);

/** A page of the caller's identities. */
export const presentIdentities = presentPage(identityResource.type, presentIdentity);

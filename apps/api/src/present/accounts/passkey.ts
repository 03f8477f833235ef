import { object, type ResourceDescription, readOnly, timestamp, uuid } from '@zonewright/api-description';
import { type JsonObject, type Passkey, PasskeyName } from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../../http/answer.ts';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** A passkey without its key. */
export const passkeyResource = {
  type: 'Passkey',
  title: 'passkey',
  description: 'A key of the user’s device that signs in without a password (Web Authentication).',
  schema: z.object({
    id: uuid('Id of the passkey.'),
    name: PasskeyName.meta({ description: 'A name to recognize it by.', examples: ['Laptop'] }),
    createdAt: timestamp('When it was added.'),
    lastUsedAt: timestamp(
      'When it last signed in, answered a challenge or confirmed a session; absent before.',
    ).optional(),
    backedUp: readOnly(z.boolean(), 'Whether its authenticator has copied it, such as to the user’s other devices.'),
    transports: readOnly(z.array(z.string()), 'How its authenticator can be reached, such as `internal` or `usb`.'),
  }),
} as const satisfies ResourceDescription;

/** A passkey as its user sees it. */
export const presentPasskey = (passkey: Passkey) => itemOf(passkeyResource, { iri: iri.passkey(passkey.id) }, passkey);

export const presentPasskeys = presentPage(passkeyResource.type, presentPasskey);

const exampleId = 'q83vASNFZ4mrze8BI0VniQ';
const exampleIdentity = { id: exampleId, rawId: exampleId, type: 'public-key' } as const;
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0';

/** Shortened. */
export const exampleCreation = {
  ...exampleIdentity,
  response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ', transports: ['internal'] },
  clientExtensionResults: { credProps: { rk: true } },
};

/** Shortened. */
export const exampleAssertion = {
  ...exampleIdentity,
  response: {
    clientDataJSON,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDx',
    userHandle: 'AZDE0nwees-KUZ-PjnxbSg',
  },
  clientExtensionResults: {},
};

const challenge = z.string().meta({ description: 'Signed by the passkey; works once, for five minutes.' });

/** What a browser is asked to make a passkey with, in JSON. */
export const creationOptions = object(
  'PasskeyCreationOptions',
  z.looseObject({ challenge }).meta({
    description:
      'Options for `navigator.credentials.create`: pass them through `PublicKeyCredential.parseCreationOptionsFromJSON`.',
  }),
);

/** What a browser is asked for a signature with, in JSON. */
export const requestOptions = object(
  'PasskeyRequestOptions',
  z.looseObject({ challenge }).meta({
    description:
      'Options for `navigator.credentials.get`: pass them through `PublicKeyCredential.parseRequestOptionsFromJSON`.',
  }),
);

/** Options as browsers take them. */
export const presentOptions = (options: JsonObject): PresentedAnswer => ({ body: { ...options } });

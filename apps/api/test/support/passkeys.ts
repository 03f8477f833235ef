import type { AssertionResponse, JsonObject } from '@zonewright/core';
import { expect } from 'chai';
import { type Misbehaviour, SoftwareAuthenticator } from '../../../../packages/passkeys/test/software-authenticator.ts';
import { type User, unique } from './arrange.ts';
import { type Client, clientOf, type Reply } from './client.ts';

export interface PasskeyBody {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
}

export const passkeysPath = '/api/users/me/passkeys';

/** An authenticator for the service, and the browser around it. */
export const anAuthenticator = (url: string): SoftwareAuthenticator =>
  new SoftwareAuthenticator({ origin: new URL(url).origin, rpId: new URL(url).hostname });

/** Options from one of the paths that have them. */
export async function optionsFrom(client: Pick<Client, 'post'>, path: string, body?: unknown): Promise<JsonObject> {
  const reply = await client.post(path, body);
  expect(reply.status, reply.text).to.equal(200);
  return reply.json() as JsonObject;
}

/** A new passkey, as it is sent. */
export async function aPasskeyDraft(user: User, authenticator = anAuthenticator(user.url), wrong?: Misbehaviour) {
  const options = await optionsFrom(user, `${passkeysPath}/options`);
  return { name: `Passkey ${unique()}`, response: authenticator.create(options, wrong) };
}

/** Adds a passkey to an account. */
export async function addPasskey(user: User, authenticator = anAuthenticator(user.url)) {
  const reply = await user.post(passkeysPath, await aPasskeyDraft(user, authenticator));
  expect(reply.status, reply.text).to.equal(201);
  return { authenticator, passkey: reply.json() as PasskeyBody };
}

/** A signature that signs in. */
export const signatureOf = async (
  url: string,
  authenticator: SoftwareAuthenticator,
  wrong?: Misbehaviour,
): Promise<AssertionResponse> =>
  authenticator.get(await optionsFrom(clientOf(url), '/api/auth/passkey/options'), wrong);

export const signInByPasskey = (url: string, response: AssertionResponse): Promise<Reply> =>
  clientOf(url).post('/api/auth/passkey', { response });

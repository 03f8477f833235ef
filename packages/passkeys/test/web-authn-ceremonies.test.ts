import {
  type AssertionResponse,
  type CreationResponse,
  Email,
  type HeldPasskey,
  type JsonObject,
  type PasskeyChallenge,
  type PasskeyCredential,
  PasskeyId,
  UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { webAuthnCeremonies } from '../src/index.ts';
import {
  copiedElsewhere,
  handleOf,
  type Misbehaviour,
  SoftwareAuthenticator,
  userPresent,
} from './software-authenticator.ts';

const site = { rpId: 'zonewright.example', origin: 'https://zonewright.example' };
const app = 'https://app.zonewright.example';
const ceremonies = webAuthnCeremonies({ id: site.rpId, name: 'Zonewright', origins: [site.origin, app] });
const user = { id: UserId.parse('0190c4d2-7c1e-7a3b-8a51-9f8e7d6c5b4a'), email: Email.parse('ada@example.org') };
const challenge = Buffer.alloc(32, 7).toString('base64url') as PasskeyChallenge;
const other = Buffer.alloc(32, 8).toString('base64url');

const optionsOf = async (pending: ReturnType<typeof ceremonies.creationOptions>): Promise<JsonObject> =>
  await valueOf(pending);
const creating = () => optionsOf(ceremonies.creationOptions({ challenge, user, others: [] }));
const requesting = () => optionsOf(ceremonies.requestOptions({ challenge, passkeys: undefined }));

const refused = { type: 'PasskeyRefused' };

const valueOf = async <T>(pending: ResultAsync<T, unknown>): Promise<T> =>
  (await pending).match(
    (value) => value,
    () => expect.fail('It was refused.'),
  );
const refusalOf = async <E>(pending: ResultAsync<unknown, E>): Promise<E> =>
  (await pending).match(
    () => expect.fail('It was accepted.'),
    (error) => error,
  );

/** An authenticator with a credential that was accepted. */
async function enrolled(wrong: Misbehaviour = {}) {
  const authenticator = new SoftwareAuthenticator(site);
  const response = authenticator.create(await creating(), wrong);
  const credential = await valueOf(ceremonies.verifyCreation(response, challenge));
  return { authenticator, passkey: heldOf(credential) };
}

const heldOf = ({ credentialId, publicKey }: PasskeyCredential): HeldPasskey => ({
  id: PasskeyId.parse('0190c4d2-7c1e-7a3b-8a51-000000000001'),
  userId: user.id,
  credentialId,
  publicKey,
  standing: 'active',
  credentialsVersion: 1,
});

describe('webAuthnCeremonies', () => {
  it('asks for a discoverable credential that verifies its user, without attestation', async () => {
    const { credentialId } = (await enrolled()).passkey;
    const options = await optionsOf(
      ceremonies.creationOptions({
        challenge,
        user,
        // Only these members are used.
        others: [{ credentialId, transports: ['usb'] } as never],
      }),
    );
    expect(options).to.deep.include({
      challenge,
      rp: { id: site.rpId, name: 'Zonewright' },
      user: { id: handleOf(user.id), name: user.email, displayName: user.email },
      attestation: 'none',
      timeout: 300_000,
      excludeCredentials: [{ id: credentialId, transports: ['usb'], type: 'public-key' }],
    });
    expect(options['authenticatorSelection']).to.deep.equal({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
  });

  it('names no credentials to those who have not signed in', async () => {
    expect(await requesting()).to.deep.equal({
      rpId: site.rpId,
      challenge,
      timeout: 300_000,
      userVerification: 'required',
    });
  });

  it('reads the challenge that a response names, and none out of nonsense', async () => {
    const { authenticator } = await enrolled();
    const response = authenticator.get(await requesting());
    expect(ceremonies.challengeIn(response)).to.equal(challenge);
    for (const text of ['null', '[]', '{', '{"challenge":7}', '"challenge"']) {
      const clientDataJSON = Buffer.from(text).toString('base64url');
      expect(
        ceremonies.challengeIn({ ...response, response: { ...response.response, clientDataJSON } }),
        text,
      ).to.equal(undefined);
    }
  });
});

describe('verifyCreation', () => {
  const verify = (response: CreationResponse) => ceremonies.verifyCreation(response, challenge);

  it('returns the credential with its key', async () => {
    const authenticator = new SoftwareAuthenticator(site);
    const made = verify(authenticator.create(await creating(), { flags: copiedElsewhere, counter: 3 }));
    const { publicKey, ...credential } = await valueOf(made);
    expect(credential).to.deep.equal({
      credentialId: authenticator.credentialId,
      counter: 3,
      transports: ['internal', 'hybrid'],
      backedUp: true,
    });
    expect(publicKey).to.match(/^[\w-]{103}$/);
  });

  for (const [what, right] of [
    ['on another origin of the configuration', { origin: app }],
    ['that attests itself', { certificates: [] }],
  ] as const) {
    it(`accepts one ${what}`, async () => {
      const response = new SoftwareAuthenticator(site).create(await creating(), right);
      expect((await verify(response)).isOk()).to.equal(true);
    });
  }

  const wrongs: Readonly<Record<string, Misbehaviour>> = {
    'made for another origin': { origin: 'https://zonewright.example.evil.example' },
    'made for the same host without encryption': { origin: 'http://zonewright.example' },
    'made for another site': { rpId: 'evil.example' },
    'with another challenge': { challenge: other },
    'that is a signature': { type: 'webauthn.get' },
    'from an embedded page': { crossOrigin: true },
    'whose user was not verified': { flags: userPresent },
    'whose user was not present': { flags: 0 },
    'that is not discoverable': { rk: false },
    'with certificates': { certificates: [new Uint8Array(8)] },
  };
  for (const [what, wrong] of Object.entries(wrongs)) {
    it(`refuses one ${what}`, async () => {
      const response = new SoftwareAuthenticator(site).create(await creating(), wrong);
      expect(await refusalOf(verify(response))).to.deep.equal(refused);
    });
  }

  it('refuses nonsense', async () => {
    const response = new SoftwareAuthenticator(site).create(await creating());
    for (const attestationObject of ['AAAA', 'oA', base64urlOf('{}')]) {
      const nonsense = { ...response, response: { ...response.response, attestationObject } };
      expect(await refusalOf(verify(nonsense)), attestationObject).to.deep.equal(refused);
    }
  });
});

const base64urlOf = (text: string): string => Buffer.from(text).toString('base64url');

describe('verifyAssertion', () => {
  const verify = (response: AssertionResponse, passkey: HeldPasskey | undefined, namesUser = true) =>
    ceremonies.verifyAssertion(response, { challenge, passkey, namesUser });

  it('returns the counter, and whether the passkey is backed up', async () => {
    const { authenticator, passkey } = await enrolled();
    const response = authenticator.get(await requesting(), { counter: 41, flags: copiedElsewhere });
    expect(await valueOf(verify(response, passkey))).to.deep.equal({ counter: 41, backedUp: true });
  });

  it('accepts a signature without a user only if the user is known', async () => {
    const { authenticator, passkey } = await enrolled();
    const response = authenticator.get(await requesting(), { userHandle: undefined });
    expect((await verify(response, passkey, false)).isOk()).to.equal(true);
    expect(await refusalOf(verify(response, passkey, true))).to.deep.equal(refused);
  });

  const stranger = handleOf(UserId.parse('0190c4d2-7c1e-7a3b-8a51-ffffffffffff'));
  const wrongs: Readonly<Record<string, Misbehaviour>> = {
    'made for another origin': { origin: 'https://evil.example' },
    'made for another site': { rpId: 'evil.example' },
    'of another challenge': { challenge: other },
    'that makes a credential': { type: 'webauthn.create' },
    'from an embedded page': { crossOrigin: true },
    'whose user was not verified': { flags: userPresent },
    'whose user was not present': { flags: 0 },
    'of other data': { isForged: true },
    'in the name of another user': { userHandle: stranger },
  };
  for (const [what, wrong] of Object.entries(wrongs)) {
    it(`refuses a signature ${what}`, async () => {
      const { authenticator, passkey } = await enrolled();
      const response = authenticator.get(await requesting(), wrong);
      for (const namesUser of [true, false]) {
        expect(await refusalOf(verify(response, passkey, namesUser))).to.deep.equal(refused);
      }
    });
  }

  it('refuses the signature of another passkey, and of an unknown one', async () => {
    const [one, another] = [await enrolled(), await enrolled()];
    const response = one.authenticator.get(await requesting());
    expect(await refusalOf(verify(response, another.passkey))).to.deep.equal(refused);
    expect(await refusalOf(verify(response, undefined))).to.deep.equal(refused);
  });
});

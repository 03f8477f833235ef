import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  type CredentialId,
  type JsonObject,
  type Passkey,
  type PasskeyCeremonies,
  type PasskeyChallenge,
  type PasskeyCredential,
  type PasskeyRefused,
  type PasskeyUse,
  passkeyChallengeSeconds,
  passkeyRefused,
} from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { isSelfAttested } from './attestation.ts';
import { clientDataIn } from './client-data.ts';
import { decoyKey } from './decoy-key.ts';
import type { RelyingParty } from './relying-party.ts';
import { userHandleOf } from './user-handle.ts';

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what authenticators have, and every version of Node can check. */
const algorithms = [-8, -7, -257];

const timeout = passkeyChallengeSeconds * 1000;

/** Passkeys of one site, by `@simplewebauthn/server`. */
export const webAuthnCeremonies = (site: RelyingParty): PasskeyCeremonies => ({
  creationOptions: ({ challenge, user, others }) =>
    written(
      generateRegistrationOptions({
        rpName: site.name,
        rpID: site.id,
        userName: user.email,
        userDisplayName: user.email,
        userID: userHandleOf(user.id),
        challenge: bytesOf(challenge),
        timeout,
        attestationType: 'none',
        excludeCredentials: others.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
      }),
    ),
  requestOptions: ({ challenge, passkeys }) =>
    written(
      generateAuthenticationOptions({
        rpID: site.id,
        challenge: bytesOf(challenge),
        timeout,
        userVerification: 'required',
        ...(passkeys && { allowCredentials: passkeys.map(descriptorOf) }),
      }),
    ),
  challengeIn: ({ response }) => {
    const challenge = clientDataIn(response.clientDataJSON)?.['challenge'];
    // Any text may be looked up.
    return typeof challenge === 'string' ? (challenge as PasskeyChallenge) : undefined;
  },
  verifyCreation: (response, challenge) => orRefused(verifyCreation(site, response, challenge)),
  verifyAssertion: (response, expected) => orRefused(verifyAssertion(site, response, expected)),
});

type Verified<T> = Promise<Result<T, PasskeyRefused>>;

async function verifyCreation(
  site: RelyingParty,
  ...[response, challenge]: Parameters<PasskeyCeremonies['verifyCreation']>
): Verified<PasskeyCredential> {
  const isDiscoverable = response.clientExtensionResults.credProps?.rk !== false;
  if (!isDiscoverable || isFramed(response) || !isSelfAttested(response)) return err(passkeyRefused());
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library's types leave no room for texts of others, which it checks.
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    ...expectedOf(site, challenge),
    supportedAlgorithmIDs: algorithms,
  });
  if (!verified) return err(passkeyRefused());
  const { credential, credentialBackedUp } = registrationInfo;
  return ok({
    // The library took it from what the authenticator wrote.
    credentialId: credential.id as CredentialId,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    backedUp: credentialBackedUp,
  });
}

async function verifyAssertion(
  site: RelyingParty,
  ...[response, { challenge, passkey, namesUser }]: Parameters<PasskeyCeremonies['verifyAssertion']>
): Verified<PasskeyUse> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    // As above.
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    ...expectedOf(site, challenge),
    // The counter is compared when it is stored, and only if the signature is right.
    credential: { id: response.id, publicKey: bytesOf(passkey?.publicKey ?? decoyKey), counter: 0 },
  });
  if (!verified || passkey === undefined || isFramed(response)) return err(passkeyRefused());
  const handle = response.response.userHandle ?? undefined;
  const isOwners = handle === Buffer.from(userHandleOf(passkey.userId)).toString('base64url');
  if (!isOwners && (namesUser || handle !== undefined)) return err(passkeyRefused());
  return ok({ counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp });
}

const expectedOf = ({ id, origins }: RelyingParty, challenge: PasskeyChallenge) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: id,
  requireUserVerification: true,
});

/** Whether a page of another origin embeds the page; some browsers say no more than this. */
const isFramed = ({ response }: Parameters<PasskeyCeremonies['challengeIn']>[0]): boolean =>
  clientDataIn(response.clientDataJSON)?.['crossOrigin'] === true;

/** The library rejects for everything that is wrong with a response. */
const orRefused = <T>(verified: Promise<Result<T, PasskeyRefused>>): ResultAsync<T, PasskeyRefused> =>
  new ResultAsync(verified.catch(() => err(passkeyRefused())));

/** The library's options are JSON, apart from members that are undefined. */
const written = (options: Promise<object>): ResultAsync<JsonObject, never> =>
  ResultAsync.fromSafePromise(
    options.then(
      (each) =>
        // An object in JSON is an object.
        JSON.parse(JSON.stringify(each)) as JsonObject,
    ),
  );

const descriptorOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports: [...transports] });

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64url, 'base64url'));

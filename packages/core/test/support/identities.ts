import {
  type Attestation,
  type NoAttestation,
  ProviderId,
  ReturnPath,
  type SessionCaller,
  type SessionTokens,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { completeFlow } from '../../src/accounts/identities/complete-flow.ts';
import { startLink, startSignIn } from '../../src/accounts/identities/start-flow.ts';
import { authenticate } from '../../src/accounts/sessions/authenticate.ts';
import { valueOf } from './outcomes.ts';
import { noClient } from './people.ts';
import type { World } from './world.ts';

export const corp = ProviderId.parse('corp');
export const school = ProviderId.parse('school');
/** Admitted by every provider. */
export const schoolAddress = 'ada@school.example';

type Answer = Partial<Record<keyof Attestation, unknown>> | NoAttestation;

/** The return of a browser from a flow that it has begun. */
export async function aReturn(
  world: World,
  answer: Answer,
  {
    provider = corp,
    linking,
    accessToken,
  }: { provider?: ProviderId; linking?: SessionCaller; accessToken?: string } = {},
) {
  const returnTo = ReturnPath.parse('/zones');
  const started =
    linking === undefined ? startSignIn(world)(provider, returnTo) : startLink(world)(linking, provider, returnTo);
  const { url, sealed } = await valueOf(started);
  const state = new URL(url).searchParams.get('state') ?? undefined;
  // Tests may attest what no provider should.
  const code = world.signInProviders.codeFor(answer as Partial<Attestation>);
  return { provider, sealed, answer: { code, state }, accessToken };
}

/** Completes a flow of a browser. */
export const returned = (world: World, ...flow: [Answer, Parameters<typeof aReturn>[2]?]) =>
  ResultAsync.fromSafePromise(aReturn(world, ...flow)).andThen((back) => completeFlow(world)(back, noClient));

/** The caller that storage recognizes by the session. */
export const recognized = async (world: World, { accessToken }: SessionTokens): Promise<SessionCaller> => {
  const caller = await valueOf(authenticate(world)({ kind: 'access token', token: accessToken }, noClient));
  if (caller.credential.kind !== 'session') throw new Error('An access token belongs to a session.');
  return { ...caller, credential: caller.credential };
};

/** The session of somebody who signs in by a provider; by default with a new account. */
export async function aSessionBy(world: World, answer: Answer = { email: schoolAddress }, provider = corp) {
  const { loggedIn } = await valueOf(returned(world, answer, { provider }));
  if (loggedIn?.outcome !== 'session') throw new Error('The sign-in is not complete.');
  return { tokens: loggedIn.tokens, caller: await recognized(world, loggedIn.tokens) };
}

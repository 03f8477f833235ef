import {
  beginSetup,
  type ChallengeToken,
  confirmSetup,
  logIn,
  type SessionCaller,
  type TotpSecret,
  VerificationCode,
} from '@zonewright/core';
import { callerOf } from './organizations.ts';
import { valueOf } from './outcomes.ts';
import { aLogin, aUser, noClient } from './people.ts';
import { aWorld, type World } from './world.ts';

/** A code as someone types it. */
export const typed = (code: string): VerificationCode => VerificationCode.parse(code);

/** The code that the user's app shows now. */
export const codeOf = (world: World, secret: TotpSecret): VerificationCode => typed(world.oneTimeCodes.codeOf(secret));

/** Until the app shows another code. */
export const stepSeconds = 30;

export interface SecondFactor {
  readonly secret: TotpSecret;
  readonly recoveryCodes: readonly string[];
}

/** Switches a second factor on; the app shows a code that was not used yet. */
export async function aSecondFactor(world: World, caller: SessionCaller): Promise<SecondFactor> {
  const { secret } = await valueOf(beginSetup(world)(caller));
  const recoveryCodes = await valueOf(confirmSetup(world)(caller, codeOf(world, secret)));
  world.clock.advance(stepSeconds);
  return { secret, recoveryCodes };
}

/** Someone who is signed in. */
export async function aWorldWithCaller() {
  const world = aWorld();
  const id = await aUser(world);
  return { world, id, caller: callerOf(world, id) };
}

/** Someone who is signed in and has a second factor. */
export async function aWorldWithSecondFactor() {
  const { world, id, caller } = await aWorldWithCaller();
  return { world, id, caller, ...(await aSecondFactor(world, caller)) };
}

/** The challenge of someone who proved the password and has a second factor. */
export async function aChallenge(
  world: World,
  changes: Readonly<Record<string, string>> = {},
): Promise<ChallengeToken> {
  const signedIn = await valueOf(logIn(world)(aLogin(changes), noClient));
  if (signedIn.outcome !== 'challenge') throw new Error('The sign-in was complete without a second factor.');
  return signedIn.challengeToken;
}

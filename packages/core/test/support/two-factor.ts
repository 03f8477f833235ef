import { type ChallengeToken, type SessionCaller, type TotpSecret, VerificationCode } from '@zonewright/core';
import { logIn } from '../../src/accounts/sign-in/log-in.ts';
import { beginSetup, confirmSetup } from '../../src/accounts/two-factor/set-up.ts';
import { callerOf } from './organizations.ts';
import { valueOf } from './outcomes.ts';
import { aLogin, aUser, noClient } from './people.ts';
import { aWorld, type World } from './world.ts';

/** A code as typed. */
export const typed = (code: string): VerificationCode => VerificationCode.parse(code);

/** The user's current code. */
export const codeOf = (world: World, secret: TotpSecret): VerificationCode => typed(world.oneTimeCodes.codeOf(secret));

/** How long the app shows a code. */
export const stepSeconds = 30;

export interface SecondFactor {
  readonly secret: TotpSecret;
  readonly recoveryCodes: readonly string[];
}

/** Enables two-factor authentication; the app shows an unused code. */
export async function aSecondFactor(world: World, caller: SessionCaller): Promise<SecondFactor> {
  const { secret } = await valueOf(beginSetup(world)(caller));
  const recoveryCodes = await valueOf(confirmSetup(world)(caller, codeOf(world, secret)));
  world.clock.advance(stepSeconds);
  return { secret, recoveryCodes };
}

/** A signed-in user. */
export async function aWorldWithCaller() {
  const world = aWorld();
  const id = await aUser(world);
  return { world, id, caller: callerOf(world, id) };
}

/** A signed-in user with two-factor authentication. */
export async function aWorldWithSecondFactor() {
  const { world, id, caller } = await aWorldWithCaller();
  return { world, id, caller, ...(await aSecondFactor(world, caller)) };
}

/** The challenge of a user with two-factor authentication after the password. */
export async function aChallenge(
  world: World,
  changes: Readonly<Record<string, string>> = {},
): Promise<ChallengeToken> {
  const signedIn = await valueOf(logIn(world)(aLogin(changes), noClient));
  if (signedIn.outcome !== 'challenge') throw new Error('The sign-in was complete without a second factor.');
  return signedIn.challengeToken;
}

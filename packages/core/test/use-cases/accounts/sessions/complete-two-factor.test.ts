import {
  ChallengeToken,
  challengeInvalid,
  challengeLimits,
  invalidVerificationCode,
  type PasswordHash,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { refreshSession } from '../../../../src/accounts/sessions/refresh-session.ts';
import { completeTwoFactor } from '../../../../src/accounts/sign-in/complete-two-factor.ts';
import { findChallengedUser } from '../../../../src/accounts/sign-in/find-challenged-user.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { replaceRecoveryCodes } from '../../../../src/accounts/two-factor/replace-recovery-codes.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aLogin, changeUser, email, noClient } from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import { aChallenge, aWorldWithSecondFactor, codeOf, typed } from '../../../support/two-factor.ts';
import { everythingIn, minutes, type World } from '../../../support/world.ts';

const sessionsIn = (world: World) => [...everythingIn(world).sessions.values()];

const aChallengedUser = async () => {
  const arranged = await aWorldWithSecondFactor();
  const challengeToken = await aChallenge(arranged.world);
  return { ...arranged, challengeToken, complete: completeTwoFactor(arranged.world) };
};

describe('logIn with a second factor', () => {
  it('issues a challenge and opens no session', async () => {
    const { world } = await aWorldWithSecondFactor();
    const entries = await entriesDuring(world, () => aChallenge(world));
    expect(entries.map(({ action }) => action)).to.deep.equal(['challenge.issued']);
    expect(sessionsIn(world)).to.deep.equal([]);
    expect(everythingIn(world).refreshTokens.size).to.equal(0);
  });

  it('issues none for a wrong password or an inactive account', async () => {
    const { world, id } = await aWorldWithSecondFactor();
    const signIn = logIn(world);
    expect(await refusalOf(signIn(aLogin({ password: 'Wrong-1' }), noClient))).to.deep.equal(['InvalidCredentials']);
    changeUser(world, id, { active: false });
    expect(await refusalOf(signIn(aLogin(), noClient))).to.deep.equal(['AccountInactive']);
    expect(everythingIn(world).challenges.size).to.equal(0);
  });

  it('issues none if the password changes meanwhile', async () => {
    const { world, id } = await aWorldWithSecondFactor();
    const passwords: World['passwords'] = {
      ...world.passwords,
      verify: (hash, attempt) => {
        changeUser(world, id, { credentialsVersion: 99, passwordHash: 'plain:Changed-1' as PasswordHash });
        return world.passwords.verify(hash, attempt);
      },
    };
    expect(await refusalOf(logIn({ ...world, passwords })(aLogin(), noClient))).to.deep.equal(['InvalidCredentials']);
    expect(everythingIn(world).challenges.size).to.equal(0);
  });
});

describe('completeTwoFactor', () => {
  it('exchanges challenge and code for a session with both authentication methods', async () => {
    const { world, id, secret, challengeToken, complete } = await aChallengedUser();
    const client = { network: '192.0.2.7', userAgent: 'Browser/1.0' };
    const tokens = await valueOf(complete({ challengeToken, code: codeOf(world, secret) }, client));
    expect(sessionsIn(world)).to.have.length(1);
    expect(sessionsIn(world)[0]).to.deep.include({ userId: id, methods: ['pwd', 'otp'], userAgent: 'Browser/1.0' });
    const caller = await valueOf(authenticate(world)({ kind: 'access token', token: tokens.accessToken }, client));
    expect(caller).to.deep.include({ userId: id, client });
    expect((await refreshSession(world)(tokens.refreshToken, client)).isOk()).to.equal(true);
  });

  it('accepts a recovery code once, and notifies the user by mail', async () => {
    const { world, recoveryCodes, challengeToken, complete } = await aChallengedUser();
    const code = typed(recoveryCodes[0]!);
    const entries = await entriesDuring(world, () => complete({ challengeToken, code }, noClient));
    expect(entries.map(({ action }) => action)).to.deep.equal(['twoFactor.recoveryCodeUsed', 'session.opened']);
    expect(noticesIn(world).at(-1)).to.equal(`recovery-code-used ${email}`);
    const again = await aChallenge(world);
    const refused = complete({ challengeToken: again, code }, noClient);
    expect(await refusalOf(refused)).to.deep.equal(['InvalidVerificationCode']);
  });

  it('sends no mail for an authenticator code', async () => {
    const { world, secret, challengeToken, complete } = await aChallengedUser();
    const before = noticesIn(world);
    const entries = await entriesDuring(world, () =>
      complete({ challengeToken, code: codeOf(world, secret) }, noClient),
    );
    expect(entries.map(({ action }) => action)).to.deep.equal(['session.opened']);
    expect(noticesIn(world)).to.deep.equal(before);
  });

  it('refuses a wrong code, records it, and lets the user try again', async () => {
    const { world, id, secret, challengeToken, complete } = await aChallengedUser();
    const entries = await entriesDuring(world, async () => {
      const outcome = await complete({ challengeToken, code: typed('999999') }, noClient);
      expect(outcome).to.deep.equal(err(invalidVerificationCode()));
    });
    expect(entries.map(({ action, actor }) => [action, actor])).to.deep.equal([['challenge.failed', id]]);
    expect(sessionsIn(world)).to.deep.equal([]);
    const right = complete({ challengeToken, code: codeOf(world, secret) }, noClient);
    expect(await refusalOf(right)).to.deep.equal(['accepted']);
  });

  it('allows five attempts, including the right one', async () => {
    const { world, secret, challengeToken, complete } = await aChallengedUser();
    for (let attempt = 1; attempt < challengeLimits.attempts; attempt += 1) {
      await complete({ challengeToken, code: typed('999999') }, noClient);
    }
    const fifth = complete({ challengeToken, code: codeOf(world, secret) }, noClient);
    expect(await refusalOf(fifth)).to.deep.equal(['accepted']);
  });

  it('refuses even the right code after five wrong ones, without using it up', async () => {
    const { world, caller, secret, challengeToken, complete } = await aChallengedUser();
    for (let attempt = 1; attempt <= challengeLimits.attempts; attempt += 1) {
      const outcome = complete({ challengeToken, code: typed('999999') }, noClient);
      expect(await refusalOf(outcome)).to.deep.equal(['InvalidVerificationCode']);
    }
    const code = codeOf(world, secret);
    expect(await complete({ challengeToken, code }, noClient)).to.deep.equal(err(challengeInvalid()));
    expect(await refusalOf(replaceRecoveryCodes(world)(caller, code))).to.deep.equal(['accepted']);
  });

  it('spends the challenge', async () => {
    const { world, recoveryCodes, challengeToken, complete } = await aChallengedUser();
    await valueOf(complete({ challengeToken, code: typed(recoveryCodes[0]!) }, noClient));
    const again = await complete({ challengeToken, code: typed(recoveryCodes[1]!) }, noClient);
    expect(again).to.deep.equal(err(challengeInvalid()));
    expect(sessionsIn(world)).to.have.length(1);
  });

  it('accepts a challenge for five minutes, and no longer', async () => {
    for (const [seconds, expected] of [
      [minutes(5) - 1, 'accepted'],
      [minutes(5), 'ChallengeInvalid'],
    ] as const) {
      const { world, secret, challengeToken, complete } = await aChallengedUser();
      world.clock.advance(seconds);
      const outcome = complete({ challengeToken, code: codeOf(world, secret) }, noClient);
      expect(await refusalOf(outcome)).to.deep.equal([expected]);
    }
  });

  it('refuses a code that another endpoint has used', async () => {
    const { world, caller, secret, challengeToken, complete } = await aChallengedUser();
    const code = codeOf(world, secret);
    await valueOf(replaceRecoveryCodes(world)(caller, code));
    expect(await refusalOf(complete({ challengeToken, code }, noClient))).to.deep.equal(['InvalidVerificationCode']);
  });
});

describe('findChallengedUser', () => {
  it('finds the user of a live challenge, and nobody for a used or unknown one', async () => {
    const { world, id, secret, challengeToken, complete } = await aChallengedUser();
    expect(await findChallengedUser(world)(challengeToken)).to.deep.equal(ok(id));
    await valueOf(complete({ challengeToken, code: codeOf(world, secret) }, noClient));
    expect(await findChallengedUser(world)(challengeToken)).to.deep.equal(ok(undefined));
    expect(await findChallengedUser(world)(ChallengeToken.parse('guessed'))).to.deep.equal(ok(undefined));
  });
});

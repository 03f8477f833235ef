import { ChallengeToken, type JsonObject, type SessionCaller, type UserId, useCases } from '@zonewright/core';
import { expect } from 'chai';
import {
  assertionBy,
  callerWith,
  enforceTwoFactor,
  storedAccount,
  storedIdentity,
  storedMember,
  storedOwner,
  storedPasskey,
} from '../arrangements/index.ts';
import { aChallenge, anOrganizationName, type NewPasskey, noClient, unique } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Part of the contract of passkeys: answers to one challenge, and removals of the last credentials. */
export function passkeyRaces(storage: () => Storage): void {
  describe('of answers', () => answers(storage));
  describe('of removals', () => removals(storage));
}

const casesOn = ({ unitOfWork }: Storage) => useCases({ ...fakePorts, unitOfWork });

const challengeIn = ({ challenge }: JsonObject = {}): string => (typeof challenge === 'string' ? challenge : '');

/** A caller without memberships. */
const callerOfUser = (userId: UserId): SessionCaller => ({
  ...callerWith(userId, 1 as Parameters<typeof callerWith>[1], 'viewer'),
  memberships: new Map(),
});

function answers(storage: () => Storage): void {
  it('opens one session for twenty concurrent answers to one challenge', async () => {
    for (const _ of rounds) {
      const passkey = await storedPasskey(storage());
      const challenge = challengeIn(await okOf(casesOn(storage()).beginPasskeySignIn()));
      await expectOneWinner('PasskeyRefused', () =>
        casesOn(storage()).signInByPasskey(assertionBy(passkey, challenge), noClient),
      );
      expect(await storage().liveRefreshTokens(passkey.userId)).to.equal(1);
    }
  });

  it('opens one session for two answers of two passkeys to the challenge of one sign-in', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const passkeys = [await storedPasskey(storage(), { userId }), await storedPasskey(storage(), { userId })];
      const challengeToken = ChallengeToken.parse(`challenge-${unique()}`);
      const hash = fakePorts.tokenHashes.of(challengeToken);
      await runUnit(storage(), ({ challenges }) => challenges.issue(aChallenge({ userId, hash })));
      const challenges = await concurrently(2, () => okOf(casesOn(storage()).beginPasskeyChallenge(challengeToken)));
      const results = await concurrently(2, (index) => {
        const response = assertionBy(passkeys[index] as NewPasskey, challengeIn(challenges[index]));
        return casesOn(storage()).completeTwoFactor({ challengeToken, response }, noClient);
      });
      expect(tally(results)).to.deep.equal({ Ok: 1, ChallengeInvalid: 1 });
      expect(await storage().liveRefreshTokens(userId)).to.equal(1);
    }
  });
}

function removals(storage: () => Storage): void {
  /** An account with two passkeys and nothing else. */
  async function withTwoPasskeys() {
    const { id: userId } = await storedAccount(storage(), { passwordHash: undefined });
    const passkeys = [await storedPasskey(storage(), { userId }), await storedPasskey(storage(), { userId })] as const;
    return { userId, passkeys };
  }

  it('keeps the last credential when twenty concurrent removals take both', async () => {
    for (const _ of rounds) {
      const { userId, passkeys } = await withTwoPasskeys();
      const caller = callerOfUser(userId);
      const results = await concurrently(raceSize, (index) =>
        casesOn(storage()).removePasskey(caller, passkeys[index % 2 === 0 ? 0 : 1].id),
      );
      const half = raceSize / 2;
      expect(tally(results)).to.deep.equal({ Ok: 1, PasskeyNotFound: half - 1, LastCredential: half });
    }
  });

  it('makes a removal wait for another, and sees what it left', async () => {
    const { userId, passkeys } = await withTwoPasskeys();
    const [first, second] = passkeys;
    const held = await hold(storage(), ({ passkeys: stored }) => stored.lockCount(userId));
    const removal = casesOn(storage()).removePasskey(callerOfUser(userId), second.id);
    await okOf(held.endBefore(removal, ({ passkeys: stored }) => stored.remove(userId, first.id)));
    expect(await errorOf(removal)).to.deep.equal({ type: 'LastCredential' });
  });

  for (const [what, link] of [
    ['a password', async () => storedAccount(storage())],
    [
      'an identity provider',
      async () => {
        const account = await storedAccount(storage(), { passwordHash: undefined });
        await storedIdentity(storage(), { userId: account.id });
        return account;
      },
    ],
  ] as const) {
    it(`removes the last passkey of an account with ${what}`, async () => {
      const { id: userId } = await link();
      const { id } = await storedPasskey(storage(), { userId });
      await okOf(casesOn(storage()).removePasskey(callerOfUser(userId), id));
    });
  }

  it('keeps the last passkey while an organization introduces its requirement of two factors', async () => {
    const { organizationId: id } = await storedOwner(storage());
    const member = await storedMember(storage(), id, 'viewer');
    const passkey = await storedPasskey(storage(), { userId: member.userId });
    const held = await hold(storage(), ({ organizations }) => organizations.lock(id));
    const removal = casesOn(storage()).removePasskey(member, passkey.id);
    await okOf(
      held.endBefore(removal, ({ organizations }) =>
        organizations.save(id, { name: anOrganizationName(), enforceTwoFactor: true }),
      ),
    );
    expect(await errorOf(removal)).to.deep.equal({ type: 'TwoFactorEnforced', organization: id });
    await enforceTwoFactor(storage(), id, false);
    await okOf(casesOn(storage()).removePasskey(member, passkey.id));
  });
}

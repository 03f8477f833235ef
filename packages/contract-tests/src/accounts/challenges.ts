import {
  ChallengeToken,
  challengeLimits,
  type OneTimeCodes,
  ProviderId,
  type TokenHash,
  type UserId,
  useCases,
  VerificationCode,
} from '@zonewright/core';
import { expect } from 'chai';
import { block, rollBack, storedAccount, storedSecondFactor, storedUnverified, userOf } from '../arrangements/index.ts';
import { aChallenge, aTokenHash, aUserId, type NewChallenge, noClient, unique } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { expectOneWinner, happensOnce } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const challengesContract = contract('Challenges contract', (storage) => {
  describe('issue', () => issuing(storage));
  describe('holder', () => holding(storage));
  describe('countAttempt', () => counting(storage));
  describe('spend', () => spending(storage));
  describe('completeTwoFactor', () => completing(storage));
});

const issue = ({ unitOfWork }: Storage, challenge: NewChallenge) =>
  unitOfWork.run(({ challenges }) => challenges.issue(challenge));
const countAttempt = ({ unitOfWork }: Storage, hash: TokenHash) =>
  unitOfWork.run(({ challenges }) => challenges.countAttempt(hash, challengeLimits.attempts));
const spend = ({ unitOfWork }: Storage, hash: TokenHash) => unitOfWork.run(({ challenges }) => challenges.spend(hash));

/** Issues a challenge, by default to a new user. */
async function issued(storage: Storage, given: Partial<NewChallenge> = {}): Promise<NewChallenge> {
  const challenge = aChallenge({ ...given, userId: await userOf(storage, given) });
  await okOf(issue(storage, challenge));
  return challenge;
}

const isInvalid = async (storage: Storage, hash: TokenHash) => {
  expect(await errorOf(countAttempt(storage, hash)), 'countAttempt').to.deep.equal({ type: 'ChallengeInvalid' });
};

function issuing(storage: () => Storage): void {
  it('issues a challenge that can be tried and used', async () => {
    const { hash, userId } = await issued(storage());
    expect(await okOf(countAttempt(storage(), hash))).to.deep.equal({
      userId,
      credentialsVersion: 1,
      provider: undefined,
    });
    expect((await spend(storage(), hash)).isOk()).to.equal(true);
  });

  it('invalidates the user’s older challenges, and no others', async () => {
    const other = await issued(storage());
    const older = await issued(storage());
    const newer = await issued(storage(), { userId: older.userId });
    await isInvalid(storage(), older.hash);
    expect(await errorOf(spend(storage(), older.hash))).to.deep.equal({ type: 'ChallengeInvalid' });
    expect((await countAttempt(storage(), newer.hash)).isOk()).to.equal(true);
    expect((await countAttempt(storage(), other.hash)).isOk()).to.equal(true);
  });

  it('issues none if the credentials have changed since the check', async () => {
    const { id: userId } = await storedAccount(storage());
    await storage().changeCredentials(userId);
    expect(await errorOf(issue(storage(), aChallenge({ userId })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('issues none to a blocked account, an account with an unverified address and one that does not exist', async () => {
    const { id: blocked } = await storedAccount(storage());
    await block(storage(), blocked);
    const unverified = await storedUnverified(storage());
    for (const userId of [blocked, unverified.id, aUserId()]) {
      expect(await errorOf(issue(storage(), aChallenge({ userId })))).to.deep.equal({ type: 'InvalidCredentials' });
    }
  });

  it('leaves one challenge valid when twenty are issued concurrently', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const challenges = await concurrently(raceSize, () => issued(storage(), { userId }));
      await expectOneWinner('ChallengeInvalid', (index) => spend(storage(), challenges[index]!.hash));
    }
  });

  it('makes a change of the credentials wait for the challenge, and invalidate it', async () => {
    const { id: userId } = await storedAccount(storage());
    const challenge = aChallenge({ userId });
    const held = await hold(storage(), ({ challenges }) => challenges.issue(challenge));
    const change = storage().changeCredentials(userId);
    await okOf(held.endBefore(change));
    await change;
    await isInvalid(storage(), challenge.hash);
  });

  it('leaves the older challenge valid if the unit is rolled back', async () => {
    const { hash, userId } = await issued(storage());
    const next = aChallenge({ userId });
    await rollBack(storage(), ({ challenges }) => challenges.issue(next));
    expect((await countAttempt(storage(), hash)).isOk()).to.equal(true);
    await isInvalid(storage(), next.hash);
  });
}

function holding(storage: () => Storage): void {
  const holderOf = (hash: TokenHash) =>
    readView(storage(), ({ challenges }) => challenges.holder(hash, challengeLimits.attempts));

  it('knows the provider of the first step', async () => {
    const provider = ProviderId.parse('corp');
    const { hash } = await issued(storage(), { provider });
    expect(await okOf(countAttempt(storage(), hash))).to.include({ provider });
  });

  it('finds the user of the challenge', async () => {
    const { hash, userId } = await issued(storage());
    expect(await holderOf(hash)).to.equal(userId);
  });

  const dying: readonly (readonly [string, (challenge: NewChallenge) => Promise<unknown>])[] = [
    ['is spent', ({ hash }) => okOf(spend(storage(), hash))],
    ['has expired', () => storage().passTime(300)],
    ['was superseded', ({ userId }) => issued(storage(), { userId })],
    ['is void because the credentials changed', ({ userId }) => storage().changeCredentials(userId)],
    ['belongs to a blocked account', ({ userId }) => block(storage(), userId)],
    ['has no attempt left', ({ hash }) => concurrently(challengeLimits.attempts, () => countAttempt(storage(), hash))],
  ];
  for (const [what, make] of dying) {
    it(`finds nobody for a challenge that ${what}`, async () => {
      const challenge = await issued(storage(), { lifetimeSeconds: 300 });
      await make(challenge);
      expect(await holderOf(challenge.hash)).to.equal(undefined);
    });
  }

  it('finds nobody for a challenge that was never issued', async () => {
    expect(await holderOf(aTokenHash())).to.equal(undefined);
  });
}

function counting(storage: () => Storage): void {
  it('allows the given number of attempts and no more', async () => {
    const { hash } = await issued(storage());
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await countAttempt(storage(), hash)).isOk(), `attempt ${attempt}`).to.equal(true);
    }
    await isInvalid(storage(), hash);
  });

  it('counts each challenge separately', async () => {
    const { hash, userId } = await issued(storage());
    const other = await issued(storage());
    for (let attempt = 1; attempt <= 5; attempt += 1) await countAttempt(storage(), hash);
    expect((await countAttempt(storage(), other.hash)).isOk()).to.equal(true);
    const next = await issued(storage(), { userId });
    expect((await countAttempt(storage(), next.hash)).isOk()).to.equal(true);
  });

  it('lets five of twenty concurrent attempts pass', async () => {
    for (const _ of rounds) {
      const { hash } = await issued(storage());
      const results = await concurrently(raceSize, () => countAttempt(storage(), hash));
      expect(tally(results)).to.deep.equal({ Ok: 5, ChallengeInvalid: raceSize - 5 });
    }
  });

  it('refuses a challenge that was never issued', async () => {
    await issued(storage());
    await isInvalid(storage(), aTokenHash());
  });

  it('accepts a challenge until it expires, and no longer', async () => {
    const { hash } = await issued(storage(), { lifetimeSeconds: 300 });
    await storage().passTime(290);
    expect((await countAttempt(storage(), hash)).isOk()).to.equal(true);
    await storage().passTime(10);
    await isInvalid(storage(), hash);
  });

  it('refuses a used challenge', async () => {
    const { hash } = await issued(storage());
    await okOf(spend(storage(), hash));
    await isInvalid(storage(), hash);
  });

  const voiding: readonly (readonly [string, (user: UserId) => Promise<unknown>])[] = [
    ['the credentials changed', (user) => storage().changeCredentials(user)],
    ['the account was blocked', (user) => block(storage(), user)],
    ['all sessions of the user were ended', (user) => runUnit(storage(), ({ sessions }) => sessions.endAllOf(user))],
  ];
  for (const [what, make] of voiding) {
    it(`refuses a challenge that is void because ${what}`, async () => {
      const { hash, userId } = await issued(storage());
      await make(userId);
      await isInvalid(storage(), hash);
    });
  }
}

function spending(storage: () => Storage): void {
  it('refuses a challenge that is unknown, and one that has expired', async () => {
    expect(await errorOf(spend(storage(), aTokenHash()))).to.deep.equal({ type: 'ChallengeInvalid' });
    const { hash } = await issued(storage(), { lifetimeSeconds: 60 });
    await storage().passTime(60);
    expect(await errorOf(spend(storage(), hash))).to.deep.equal({ type: 'ChallengeInvalid' });
  });

  happensOnce(storage, {
    arrange: () => issued(storage()),
    call: ({ challenges }, { hash }) => challenges.spend(hash),
    loser: 'ChallengeInvalid',
  });
}

function completing(storage: () => Storage): void {
  /** The plain challenge token of a user with two-factor authentication. */
  async function challenged() {
    const { id: userId } = await storedAccount(storage());
    await storedSecondFactor(storage(), userId);
    const challengeToken = ChallengeToken.parse(`challenge-${unique()}`);
    await issued(storage(), { userId, hash: fakePorts.tokenHashes.of(challengeToken) });
    return { userId, challengeToken };
  }
  const answering =
    (oneTimeCodes: OneTimeCodes = fakePorts.oneTimeCodes) =>
    (challengeToken: ChallengeToken, code: string) =>
      useCases({ unitOfWork: storage().unitOfWork, ...fakePorts, oneTimeCodes }).completeTwoFactor(
        { challengeToken, code: VerificationCode.parse(code) },
        noClient,
      );

  it('opens one session for twenty concurrent right answers to one challenge', async () => {
    for (const _ of rounds) {
      const { challengeToken, userId } = await challenged();
      await expectOneWinner('ChallengeInvalid', (index) => answering()(challengeToken, String(100_000 + index)));
      expect(await storage().liveRefreshTokens(userId)).to.equal(1);
    }
  });

  it('lets five of twenty concurrent guesses reach the check', async () => {
    for (const _ of rounds) {
      const { challengeToken } = await challenged();
      let checks = 0;
      const noneRight = { ...fakePorts.oneTimeCodes, stepOf: () => void (checks += 1) };
      const results = await concurrently(raceSize, () => answering(noneRight)(challengeToken, '123456'));
      expect(tally(results)).to.deep.equal({ InvalidVerificationCode: 5, ChallengeInvalid: raceSize - 5 });
      expect(checks).to.equal(5);
    }
  });

  it('does not give an attempt back if the check is rolled back', async () => {
    const { challengeToken } = await challenged();
    const noneRight = { ...fakePorts.oneTimeCodes, stepOf: () => undefined };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const refused = await errorOf(answering(noneRight)(challengeToken, '123456'));
      expect(refused).to.deep.equal({ type: 'InvalidVerificationCode' });
    }
    expect(await errorOf(answering()(challengeToken, '123457'))).to.deep.equal({ type: 'ChallengeInvalid' });
  });

  it('opens no session when all sessions of the user end concurrently', async () => {
    const { challengeToken, userId } = await challenged();
    const held = await hold(storage(), ({ accounts }) => accounts.lock(userId));
    const answer = answering()(challengeToken, '123456');
    await okOf(
      held.endBefore(answer, ({ credentials, sessions }) =>
        credentials.renew(userId).andThen(() => sessions.endAllOf(userId)),
      ),
    );
    expect(await errorOf(answer)).to.deep.equal({ type: 'ChallengeInvalid' });
    expect(await storage().liveRefreshTokens(userId)).to.equal(0);
  });
}

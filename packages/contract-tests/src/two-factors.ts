import {
  parseRecoveryCode,
  type RecoveryCodeHash,
  type SessionCaller,
  type TotpSecret,
  type UserId,
  useCases,
  VerificationCode,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { rollBack, storedAccount, storedOwner, storedSecondFactor } from './arrangements.ts';
import { aTotpSecret, aUserId } from './builders.ts';
import { fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { hold } from './gate.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, errorOf, okOf, raceSize, rejectionOf, rounds, runUnit, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const twoFactorsContract = contract('TwoFactors contract', (storage) => {
  describe('lock', () => locking(storage));
  describe('begin', () => beginning(storage));
  describe('enable', () => enabling(storage));
  describe('disable', () => disabling(storage));
  describe('spendStep', () => steps(storage));
  describe('replaceRecoveryCodes and spendRecoveryCode', () => recoveryCodes(storage));
  describe('concurrent use cases', () => racing(storage));
});

const stateOf = (storage: Storage, user: UserId) => runUnit(storage, ({ twoFactors }) => twoFactors.lock(user));
const begun = async (storage: Storage, user: UserId, lifetimeSeconds = 900): Promise<TotpSecret> => {
  const secret = aTotpSecret();
  await runUnit(storage, ({ twoFactors }) => twoFactors.begin({ user, secret, lifetimeSeconds }));
  return secret;
};
const enable = ({ unitOfWork }: Storage, user: UserId) =>
  unitOfWork.run(({ twoFactors }) => twoFactors.enable(user, { confirmed: true }));
const spendStep = ({ unitOfWork }: Storage, user: UserId, step: number) =>
  unitOfWork.run(({ twoFactors }) => twoFactors.spendStep(user, step));

/** A user with two-factor authentication. */
async function protectedUser(storage: Storage): Promise<UserId> {
  const { id } = await storedAccount(storage);
  await storedSecondFactor(storage, id);
  return id;
}

function locking(storage: () => Storage): void {
  it('reports that two-factor authentication is disabled', async () => {
    expect(await stateOf(storage(), (await storedAccount(storage())).id)).to.deep.equal({ state: 'disabled' });
    expect(await stateOf(storage(), aUserId())).to.deep.equal({ state: 'disabled' });
  });

  it('returns the pending secret until the setup expires', async () => {
    const { id } = await storedAccount(storage());
    const secret = await begun(storage(), id, 900);
    await storage().passTime(890);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'pending', secret });
    await storage().passTime(10);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
  });

  it('returns the secret once enabled, however old it is', async () => {
    const { id } = await storedAccount(storage());
    const secret = await storedSecondFactor(storage(), id);
    await storage().passTime(1_000_000);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
  });

  it('makes a change of the state wait until the unit ends', async () => {
    const id = await protectedUser(storage());
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.lock(id));
    const change = runUnit(storage(), ({ twoFactors }) => twoFactors.lock(id).andThen(() => twoFactors.disable(id)));
    expect(await okOf(held.endBefore(change, ({ twoFactors }) => twoFactors.lock(id)))).to.include({
      state: 'enabled',
    });
    await change;
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
  });

  it('sees what the unit it waited for has written', async () => {
    const { id } = await storedAccount(storage());
    const secret = aTotpSecret();
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.lock(id));
    const state = stateOf(storage(), id);
    await okOf(held.endBefore(state, ({ twoFactors }) => twoFactors.begin({ user: id, secret, lifetimeSeconds: 900 })));
    expect(await state).to.deep.equal({ state: 'pending', secret });
  });
}

function beginning(storage: () => Storage): void {
  it('replaces a pending secret, with a new lifetime', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id, 900);
    await storage().passTime(800);
    const secret = await begun(storage(), id, 900);
    await storage().passTime(800);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'pending', secret });
  });

  it('starts again after a setup has expired', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id, 900);
    await storage().passTime(900);
    const secret = await begun(storage(), id, 900);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'pending', secret });
  });

  it('separates the secrets of two users', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const secret = await begun(storage(), ada.id);
    await begun(storage(), grace.id);
    expect(await stateOf(storage(), ada.id)).to.deep.equal({ state: 'pending', secret });
  });

  it('never replaces an enabled second factor', async () => {
    const { id } = await storedAccount(storage());
    const secret = await storedSecondFactor(storage(), id);
    await rejectionOf(begun(storage(), id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
  });

  it('leaves nothing if the unit is rolled back', async () => {
    const { id: user } = await storedAccount(storage());
    await rollBack(storage(), ({ twoFactors }) =>
      twoFactors.begin({ user, secret: aTotpSecret(), lifetimeSeconds: 900 }),
    );
    expect(await stateOf(storage(), user)).to.deep.equal({ state: 'disabled' });
  });
}

function enabling(storage: () => Storage): void {
  const isRefused = async (user: UserId) => {
    expect(await errorOf(enable(storage(), user))).to.deep.equal({ type: 'TwoFactorNotPending' });
  };

  it('keeps the pending secret', async () => {
    const { id } = await storedAccount(storage());
    const secret = await begun(storage(), id);
    await okOf(enable(storage(), id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
  });

  it('refuses unless a setup is pending', async () => {
    await isRefused((await storedAccount(storage())).id);
    await isRefused(await protectedUser(storage()));
    const { id } = await storedAccount(storage());
    await begun(storage(), id, 60);
    await storage().passTime(60);
    await isRefused(id);
  });

  it('lets exactly one of twenty concurrent calls succeed', async () => {
    for (const _ of rounds) {
      const { id } = await storedAccount(storage());
      await begun(storage(), id);
      await expectOneWinner('TwoFactorNotPending', () => enable(storage(), id));
    }
  });

  it('makes a second call wait for the first', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id);
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.enable(id, { confirmed: true }));
    const second = enable(storage(), id);
    await okOf(held.endBefore(second));
    expect(await errorOf(second)).to.deep.equal({ type: 'TwoFactorNotPending' });
  });
}

function disabling(storage: () => Storage): void {
  it('deletes secret, used step and recovery codes', async () => {
    const id = await protectedUser(storage());
    const hash = hashOf('A');
    await okOf(spendStep(storage(), id, 1000));
    await runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(id, [hash]));
    await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
    expect(await errorOf(spendStep(storage(), id, 1001))).to.deep.equal({ type: 'InvalidVerificationCode' });
    const secret = await storedSecondFactor(storage(), id);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
    expect(await errorOf(spendCode(storage(), id, [hash]))).to.deep.equal({ type: 'InvalidVerificationCode' });
    expect((await spendStep(storage(), id, 1000)).isOk(), 'the same step of another secret').to.equal(true);
  });

  it('deletes a pending setup', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id);
    await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
  });

  it('does not affect others, and succeeds if there is nothing to delete', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    const hash = hashOf('A');
    await runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(grace, [hash]));
    for (const _ of [1, 2]) await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(ada));
    expect(await stateOf(storage(), grace)).to.include({ state: 'enabled' });
    expect((await spendCode(storage(), grace, [hash])).isOk()).to.equal(true);
  });
}

function steps(storage: () => Storage): void {
  const isRefused = async (user: UserId, step: number) => {
    expect(await errorOf(spendStep(storage(), user, step))).to.deep.equal({ type: 'InvalidVerificationCode' });
  };

  it('accepts each step once, and none before a used one', async () => {
    const id = await protectedUser(storage());
    await okOf(spendStep(storage(), id, 59_000_000));
    await isRefused(id, 59_000_000);
    await isRefused(id, 58_999_999);
    await okOf(spendStep(storage(), id, 59_000_001));
  });

  it('accepts a step during a pending setup, and remembers it afterwards', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id);
    await okOf(spendStep(storage(), id, 1000));
    await okOf(enable(storage(), id));
    await isRefused(id, 1000);
  });

  it('fails for users without two-factor authentication', async () => {
    await isRefused((await storedAccount(storage())).id, 1000);
  });

  it('is separate for each user', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    await okOf(spendStep(storage(), ada, 1000));
    await okOf(spendStep(storage(), grace, 1000));
  });

  it('does not use up the step in a unit that is rolled back', async () => {
    const id = await protectedUser(storage());
    await rollBack(storage(), ({ twoFactors }) => twoFactors.spendStep(id, 1000));
    await okOf(spendStep(storage(), id, 1000));
  });

  it('lets exactly one of twenty concurrent calls succeed', async () => {
    const id = await protectedUser(storage());
    for (const round of rounds) {
      await expectOneWinner('InvalidVerificationCode', () => spendStep(storage(), id, round));
    }
  });

  it('makes a second call wait for the first', async () => {
    const id = await protectedUser(storage());
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.spendStep(id, 1000));
    const second = spendStep(storage(), id, 1000);
    await okOf(held.endBefore(second));
    expect(await errorOf(second)).to.deep.equal({ type: 'InvalidVerificationCode' });
  });
}

// Storage treats hashes as opaque texts, so any text is one.
const hashOf = (code: string) => `key:${code}` as RecoveryCodeHash;
const spendCode = ({ unitOfWork }: Storage, user: UserId, candidates: readonly RecoveryCodeHash[]) =>
  unitOfWork.run(({ twoFactors }) => twoFactors.spendRecoveryCode(user, candidates));

function recoveryCodes(storage: () => Storage): void {
  const replace = (user: UserId, codes: readonly string[]) =>
    runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(user, codes.map(hashOf)));
  const isRefused = async (user: UserId, ...codes: readonly string[]) => {
    const refused = await errorOf(spendCode(storage(), user, codes.map(hashOf)));
    expect(refused).to.deep.equal({ type: 'InvalidVerificationCode' });
  };

  it('uses up the code with one of the hashes', async () => {
    const id = await protectedUser(storage());
    await replace(id, ['A', 'B', 'C']);
    await okOf(spendCode(storage(), id, [hashOf('of another key'), hashOf('B')]));
    await isRefused(id, 'B');
    for (const code of ['A', 'C']) await okOf(spendCode(storage(), id, [hashOf(code)]));
  });

  it('refuses unknown hashes, other users’ codes, and no hash at all', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    await replace(grace, ['A']);
    await isRefused(ada, 'A');
    await isRefused(grace, 'B');
    await isRefused(grace);
    await okOf(spendCode(storage(), grace, [hashOf('A')]));
  });

  it('replaces the whole set, including used codes', async () => {
    const id = await protectedUser(storage());
    await replace(id, ['A', 'B']);
    await okOf(spendCode(storage(), id, [hashOf('A')]));
    await replace(id, ['A', 'C']);
    await isRefused(id, 'B');
    for (const code of ['A', 'C']) await okOf(spendCode(storage(), id, [hashOf(code)]));
  });

  it('leaves one set when twenty replace it concurrently', async () => {
    for (const _ of rounds) {
      const id = await protectedUser(storage());
      await concurrently(raceSize, (index) => replace(id, [`${index}`]));
      await expectOneWinner('InvalidVerificationCode', (index) => spendCode(storage(), id, [hashOf(`${index}`)]));
    }
  });

  it('lets exactly one of twenty concurrent calls use a code', async () => {
    for (const _ of rounds) {
      const id = await protectedUser(storage());
      await replace(id, ['A', 'B']);
      await expectOneWinner('InvalidVerificationCode', () => spendCode(storage(), id, [hashOf('A')]));
    }
  });

  it('makes a second call wait for the first, and gives it the code if the first is rolled back', async () => {
    const id = await protectedUser(storage());
    await replace(id, ['A']);
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.spendRecoveryCode(id, [hashOf('A')]));
    const second = spendCode(storage(), id, [hashOf('A')]);
    await held.endBefore(second, () => errAsync('undo'));
    await okOf(second);
    await isRefused(id, 'A');
  });
}

function racing(storage: () => Storage): void {
  const dependencies = () => ({ unitOfWork: storage().unitOfWork, ...fakePorts });
  const confirm = (caller: SessionCaller, code: string) =>
    useCases(dependencies()).confirmSetup(caller, VerificationCode.parse(code));
  const replace = (caller: SessionCaller, code: string) =>
    useCases(dependencies()).replaceRecoveryCodes(caller, VerificationCode.parse(code));
  const disable = (caller: SessionCaller, code: string) =>
    useCases(dependencies()).disableTwoFactor(caller, VerificationCode.parse(code));
  /** The hashes of displayed recovery codes. */
  const hashesOf = (user: UserId, shown: readonly string[]) =>
    shown.map((code) => fakePorts.recoveryCodeHashes.of(user, parseRecoveryCode(code)!));

  it('confirms a setup once and returns one set of codes', async () => {
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      await begun(storage(), userId);
      const results = await concurrently(raceSize, (index) => confirm(caller, String(100_000 + index)));
      expect(tally(results)).to.deep.equal({ Ok: 1, TwoFactorNotPending: raceSize - 1 });
      const shown = results.flatMap((result) => (result.isOk() ? result.value : []));
      expect(shown).to.have.length(10);
      const spent = await concurrently(10, (index) => spendCode(storage(), userId, [hashesOf(userId, shown)[index]!]));
      expect(tally(spent)).to.deep.equal({ Ok: 10 });
    }
  });

  it('accepts a code of the app once, whatever it is used for', async () => {
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      await storedSecondFactor(storage(), userId);
      const results = await concurrently(raceSize, (index) =>
        index % 2 === 0 ? replace(caller, '123456').map(() => undefined) : disable(caller, '123456'),
      );
      const { Ok, InvalidVerificationCode = 0, TwoFactorNotEnabled = 0, ...others } = tally(results);
      expect({ Ok, refused: InvalidVerificationCode + TwoFactorNotEnabled, others }).to.deep.equal({
        Ok: 1,
        refused: raceSize - 1,
        others: {},
      });
    }
  });

  it('accepts a recovery code once, and keeps the winner’s set', async () => {
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      await storedSecondFactor(storage(), userId);
      const [code] = await okOf(replace(caller, '123456'));
      const results = await concurrently(raceSize, () => replace(caller, code!));
      expect(tally(results)).to.deep.equal({ Ok: 1, InvalidVerificationCode: raceSize - 1 });
      const shown = results.flatMap((result) => (result.isOk() ? result.value : []));
      await okOf(spendCode(storage(), userId, [hashesOf(userId, shown)[0]!]));
    }
  });
}

import { parseRecoveryCode, type SessionCaller, type UserId, useCases, VerificationCode } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner, storedSecondFactor } from '../../arrangements/index.ts';
import { fakePorts } from '../../fakes.ts';
import { concurrently, okOf, raceSize, rounds, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { begun, spendCode } from './factors.ts';

/** Concurrent uses of one code, through the use cases. */
export function racing(storage: () => Storage): void {
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

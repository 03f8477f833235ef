import { contract } from '../fresh-storage.ts';
import { disabling } from './two-factors/disabling.ts';
import { racing } from './two-factors/races.ts';
import { recoveryCodes } from './two-factors/recovery-codes.ts';
import { beginning, enabling } from './two-factors/setup.ts';
import { locking } from './two-factors/states.ts';
import { steps } from './two-factors/steps.ts';

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

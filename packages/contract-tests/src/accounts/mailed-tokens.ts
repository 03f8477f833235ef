import { contract } from '../fresh-storage.ts';
import { holding } from './mailed-tokens/holders.ts';
import { counting, issuing } from './mailed-tokens/issuing.ts';
import { racing } from './mailed-tokens/races.ts';
import { redeeming } from './mailed-tokens/redeeming.ts';
import { useCases } from './mailed-tokens/use-cases.ts';

/** Every adapter of the port must pass this unchanged. */
export const mailedTokensContract = contract('MailedTokens contract', (storage) => {
  describe('issue', () => issuing(storage));
  describe('lockIssuedCount', () => counting(storage));
  describe('holder', () => holding(storage));
  describe('redeem', () => redeeming(storage));
  describe('concurrent issues and redemptions', () => racing(storage));
  describe('concurrent use cases', () => useCases(storage));
});

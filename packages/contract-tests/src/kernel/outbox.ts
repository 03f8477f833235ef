import { contract } from '../fresh-storage.ts';
import { tries } from './outbox/attempts.ts';
import { claiming } from './outbox/claiming.ts';
import { ending } from './outbox/ending.ts';
import { noticeCounts } from './outbox/notice-counts.ts';
import { sharing } from './outbox/workers.ts';

/** Every adapter of the port must pass this unchanged. */
export const outboxContract = contract('Outbox contract', (storage) => {
  describe('claim', () => claiming(storage));
  describe('markSent, retryLater and giveUp', () => ending(storage));
  describe('lockNoticeCount', () => noticeCounts(storage));
  describe('several workers', () => sharing(storage));
  describe('attempts', () => tries(storage));
});

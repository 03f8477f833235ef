import type { LimiterStorage, OpenLimiterStorage } from './rate-limiter/budgets.ts';
import { pointsInARow } from './rate-limiter/consecutive-points.ts';
import { removing } from './rate-limiter/expiry.ts';
import { clearing, givingBack } from './rate-limiter/giving-back.ts';
import { leasing } from './rate-limiter/leasing.ts';
import { taking } from './rate-limiter/taking.ts';

/** Every adapter of `RateLimiter` must pass this unchanged. */
export function rateLimiterContract(adapter: string, open: OpenLimiterStorage): void {
  describe(`RateLimiter contract: ${adapter}`, () => {
    let current: LimiterStorage;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(() => current.close());
    const place = () => current;

    describe('take', () => taking(place));
    describe('lease', () => leasing(place));
    describe('giveBack', () => givingBack(place));
    describe('consecutive points', () => pointsInARow(place));
    describe('clear', () => clearing(place));
    describe('removeExpired', () => removing(place));
  });
}

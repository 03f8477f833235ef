import type { LimitStatus, RateLimiter, RateLimitPolicy } from '@zonewright/core';

/** Budgets of one adapter, with what the contract needs beyond the port. */
export interface LimiterStorage {
  /** Two instances that share their budgets; the same one twice if there is only one. */
  readonly instances: readonly [RateLimiter, RateLimiter];
  /** Ages all counters, as if the given number of seconds had passed. */
  passTime(seconds: number): Promise<void>;
  /** The number of stored budgets. */
  count(): Promise<number>;
  /** Called after the test. */
  close(): Promise<void>;
}

/** Opens budgets from which nothing has been taken. */
export type OpenLimiterStorage = () => Promise<LimiterStorage>;

/** A budget of five points in 15 minutes. */
export const policy: RateLimitPolicy = { name: 'login-pair', points: 5, seconds: 900 };

/** A budget of three points in a row. */
export const consecutive: RateLimitPolicy = { name: 'mfa-user', points: 3, seconds: 900, consecutive: true };

/** Whose budget is asked, unless a test names somebody else. */
export const ada = ['ada@example.com', '203.0.113.7'];

/** The seconds of a day. */
export const day = 24 * 60 * 60;

/** The storage of the current test. */
export type Place = () => LimiterStorage;

/** One instance for even indexes, the other for odd ones. */
export const limiterOf = (place: Place, index: number) => place().instances[index % 2 === 0 ? 0 : 1];

/** Takes a point from a budget. */
export async function take(place: Place, asked = policy, parts: readonly string[] = ada, index = 0) {
  const [status] = await limiterOf(place, index).take([{ ...asked, parts }]);
  if (status === undefined) throw new Error('There is no result.');
  return status;
}

/** Takes several points; resolves to the status after the last one. */
export async function takeTimes(count: number, place: Place, asked = policy): Promise<LimitStatus> {
  for (let taken = 1; taken < count; taken += 1) await take(place, asked);
  return take(place, asked);
}

/** Gives points back at the second instance, whichever they were taken at. */
export const giveBack = (place: Place, ...taken: readonly LimitStatus[]) => place().instances[1].giveBack(taken);

/** The takes that were within the budget. */
export const admitted = (statuses: readonly LimitStatus[]) => statuses.filter(({ isExceeded }) => !isExceeded);

import { expect } from 'chai';
import { concurrently, type Failure, type Pending, raceSize, tally } from './results.ts';

/** Expects that exactly one of twenty concurrent attempts succeeds, and that the others fail for this reason. */
export async function expectOneWinner(
  loser: string,
  attempt: (index: number) => Pending<unknown, Failure>,
): Promise<void> {
  const results = await concurrently(raceSize, attempt);
  expect(tally(results)).to.deep.equal({ Ok: 1, [loser]: raceSize - 1 });
}

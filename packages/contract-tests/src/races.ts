import type { Repositories } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { hold } from './gate.ts';
import { concurrently, errorOf, type Failure, okOf, type Pending, raceSize, rounds, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Expects that exactly one of twenty concurrent attempts succeeds, and that the others fail for this reason. */
export async function expectOneWinner(
  loser: string,
  attempt: (index: number) => Pending<unknown, Failure>,
): Promise<void> {
  const results = await concurrently(raceSize, attempt);
  expect(tally(results)).to.deep.equal({ Ok: 1, [loser]: raceSize - 1 });
}

/** Something that can happen once, and the reason why it does not happen again. */
interface Once<T> {
  readonly arrange: () => Promise<T>;
  readonly call: (repositories: Repositories, thing: T) => ResultAsync<unknown, Failure>;
  readonly loser: string;
}

/** Declares the tests of a call that succeeds once for each thing, whatever happens at the same time. */
export function happensOnce<T>(storage: () => Storage, { arrange, call, loser }: Once<T>): void {
  const unit = (thing: T) => storage().unitOfWork.run((repositories) => call(repositories, thing));

  it('lets exactly one of twenty concurrent calls succeed', async () => {
    for (const _ of rounds) {
      const thing = await arrange();
      await expectOneWinner(loser, () => unit(thing));
    }
  });

  it('makes a second call wait for the first, and fail', async () => {
    const thing = await arrange();
    const held = await hold(storage(), (repositories) => call(repositories, thing));
    const second = unit(thing);
    await held.endBefore(second, () => okAsync());
    expect(await errorOf(second)).to.include({ type: loser });
  });

  it('makes a second call wait for the first, and succeed if that is rolled back', async () => {
    const thing = await arrange();
    const held = await hold(storage(), (repositories) => call(repositories, thing));
    const second = unit(thing);
    await held.endBefore<unknown, unknown>(second, () => errAsync('undo'));
    await okOf(second);
  });
}

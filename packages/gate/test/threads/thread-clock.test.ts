import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { threadClock } from '../../src/threads/thread-clock.ts';

/** Milliseconds on the thread's clock during `work`. */
async function during(work: () => Promise<void> | void): Promise<number> {
  const clock = threadClock();
  const started = clock();
  await work();
  return clock() - started;
}

describe('threadClock', () => {
  it('counts the work of the thread', async () => {
    const worked = await during(() => {
      let sum = 0;
      for (let step = 0; step < 200_000_000; step += 1) sum += step % 7;
      expect(sum).to.be.greaterThan(0);
    });
    expect(worked).to.be.greaterThan(20);
  });

  if (!existsSync('/proc/thread-self/schedstat')) return;
  it('does not count waiting', async () => {
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
    expect(await during(wait)).to.be.lessThan(150);
  });
});

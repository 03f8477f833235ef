import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { beginStep, timeComputing } from '../src/work.ts';

/** Computes for the given number of milliseconds of this process, however little of the processor others leave it. */
function compute(milliseconds: number): void {
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < milliseconds);
}

/** Waits until this thread has been idle for the given number of milliseconds. */
async function rest(milliseconds: number): Promise<void> {
  const idle = () => performance.nodeTiming.idleTime;
  const end = idle() + milliseconds;
  while (idle() < end) await pause(10);
}

/** A request that is told about its long steps. */
function request() {
  const steps: number[] = [];
  return { onWork: (milliseconds: number) => void steps.push(milliseconds), steps };
}

const total = (steps: readonly number[]): number => steps.reduce((sum, step) => sum + step, 0);
const turnOfTheEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('timeComputing', () => {
  it('reports all computing without a pause, over any number of promises, and none after one', async () => {
    const { onWork, steps } = request();
    timeComputing(onWork);
    for (let part = 0; part < 4; part += 1) {
      compute(10);
      await Promise.resolve();
    }
    const before = [...steps];
    await turnOfTheEventLoop();
    compute(200);
    await turnOfTheEventLoop();
    expect([before.length, steps.length]).to.deep.equal([0, 1]);
    // Other processes may take turns on the same core, which does not count.
    expect(steps[0]).to.be.within(5, 150);
  });

  it('reports no short step', async () => {
    const { onWork, steps } = request();
    timeComputing(onWork);
    await turnOfTheEventLoop();
    expect(steps).to.deep.equal([]);
  });

  it('counts a stretch once, for the step that began it', async () => {
    const [first, second] = [request(), request()];
    timeComputing(first.onWork);
    timeComputing(second.onWork);
    compute(20);
    await turnOfTheEventLoop();
    expect([first.steps.length, second.steps.length]).to.deep.equal([1, 0]);
  });
});

describe('beginStep', () => {
  it('reports the time of a step that waits, and the computing that follows', async () => {
    const { onWork, steps } = request();
    const end = beginStep(onWork);
    await rest(20);
    end();
    compute(20);
    await turnOfTheEventLoop();
    expect(steps).to.have.length(2);
    expect(steps[0]).to.be.at.least(10);
  });

  it('shares the time among all that wait, so that together they take no longer than the time that passed', async () => {
    const requests = Array.from({ length: 4 }, request);
    const began = performance.now();
    const ends = requests.map(({ onWork }) => beginStep(onWork));
    await rest(40);
    for (const end of ends) end();
    const passed = performance.now() - began;
    for (const { steps } of requests) expect(total(steps)).to.be.within(5, passed / 4 + 1);
  });

  it('does not count the computing of others', async () => {
    const { onWork, steps } = request();
    const end = beginStep(onWork);
    await turnOfTheEventLoop();
    // Far longer than another program may hold up what counts.
    compute(150);
    await turnOfTheEventLoop();
    end();
    expect(total(steps)).to.be.below(100);
  });
});

import { expect } from 'chai';
import { reachability } from '../src/site/readiness.ts';

describe('reachability', () => {
  const never = new Promise<never>(() => undefined);
  const answering = (...answers: readonly (() => Promise<unknown>)[]) => {
    const left = [...answers];
    return { ping: () => left.shift()?.() ?? never };
  };
  const ok = () => Promise.resolve(1);

  it('takes storage that answered an earlier probe for slow, and not for gone', async () => {
    const isReachable = reachability(answering(ok), { probe: 1, slow: 60_000 });
    expect([await isReachable(), await isReachable()]).to.deep.equal([true, true]);
  });

  it('gives up storage that has not answered for a while, or never has', async () => {
    const isReachable = reachability(answering(ok), { probe: 1, slow: 0 });
    expect([await isReachable(), await isReachable()]).to.deep.equal([true, false]);
    expect(await reachability(answering(), { probe: 1, slow: 60_000 })()).to.equal(false);
  });

  it('gives up storage that refuses at once', async () => {
    const isReachable = reachability(answering(ok, () => Promise.reject(new Error('refused'))));
    expect([await isReachable(), await isReachable()]).to.deep.equal([true, false]);
  });
});

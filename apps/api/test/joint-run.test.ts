import { expect } from 'chai';
import { JointRun } from '../src/edges/joint-run.ts';

describe('JointRun', () => {
  /** A joint run whose runs end when they are told to. */
  const controlled = () => {
    const ends: { readonly resolve: (value: number) => void; readonly reject: (failure: Error) => void }[] = [];
    const joint = new JointRun(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })));
    return { joint, ends };
  };

  it('gives all who ask during a run the result of one that begins afterwards', async () => {
    const { joint, ends } = controlled();
    const first = joint.next();
    const later = [joint.next(), joint.next(), joint.next()];
    expect(ends).to.have.lengthOf(1);
    ends[0]?.resolve(1);
    expect(await first).to.equal(1);
    await joint.ended();
    expect(ends).to.have.lengthOf(2);
    ends[1]?.resolve(2);
    expect(await Promise.all(later)).to.deep.equal([2, 2, 2]);
    expect(joint.isIdle).to.equal(true);
  });

  it('runs again after a failure', async () => {
    const { joint, ends } = controlled();
    const failing = joint.next().catch((failure: Error) => failure.message);
    const next = joint.next();
    ends[0]?.reject(new Error('away'));
    expect(await failing).to.equal('away');
    await joint.ended();
    ends[1]?.resolve(2);
    expect(await next).to.equal(2);
  });
});

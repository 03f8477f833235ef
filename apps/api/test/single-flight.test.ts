import { expect } from 'chai';
import { BatchedLookUp } from '../src/edges/batched-look-up.ts';
import { SingleFlight } from '../src/edges/single-flight.ts';

describe('SingleFlight', () => {
  /** A joint run whose reads end when the test ends them. */
  const controlled = () => {
    const ends: { readonly resolve: (value: number) => void; readonly reject: (failure: Error) => void }[] = [];
    const joint = new SingleFlight(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })));
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

describe('BatchedLookUp', () => {
  it('looks up the keys of all who ask during a read with the next one', async () => {
    const reads: (readonly string[])[] = [];
    const lookUp = new BatchedLookUp((keys: readonly string[]) => {
      reads.push(keys);
      return Promise.resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.length])));
    });
    const first = await Promise.all(['a', 'bb', 'none', 'bb'].map((key) => lookUp.of(key)));
    const second = await Promise.all(['ccc', 'a'].map((key) => lookUp.of(key)));
    expect([...first, ...second]).to.deep.equal([1, 2, undefined, 2, 3, 1]);
    expect(reads).to.deep.equal([['a'], ['bb', 'none'], ['ccc'], ['a']]);
  });

  it('loses no key that is asked for just as a read ends', async () => {
    const lookUp = new BatchedLookUp(async (keys: readonly number[]) => new Map(keys.map((key) => [key, key])));
    const asking = Array.from({ length: 50 }, async (_, key) => {
      for (let turn = 0; turn < key; turn += 1) await Promise.resolve();
      return lookUp.of(key);
    });
    expect(await Promise.all(asking)).to.deep.equal(asking.map((_, key) => key));
  });
});

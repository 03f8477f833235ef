import { expect } from 'chai';
import { NewestEntries } from '../src/newest-entries.ts';

describe('NewestEntries', () => {
  it('drops the oldest entry when there are too many, and returns its value', () => {
    const entries = new NewestEntries<number>(2);
    entries.set('a', 1);
    entries.set('b', 2);
    expect(entries.set('c', 3)).to.equal(1);
    expect([entries.get('a'), ...entries.values()]).to.deep.equal([undefined, 2, 3]);
  });

  it('makes an entry that is set again the newest', () => {
    const entries = new NewestEntries<number>(2);
    entries.set('a', 1);
    entries.set('b', 2);
    expect(entries.set('a', 3)).to.equal(undefined);
    expect(entries.set('c', 4)).to.equal(2);
    expect([...entries.values()]).to.deep.equal([3, 4]);
  });
});

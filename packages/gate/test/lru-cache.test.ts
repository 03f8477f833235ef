import { expect } from 'chai';
import { LruCache } from '../src/lru-cache.ts';

describe('LruCache', () => {
  const named = (memory: LruCache<number>, names: string) => names.split('').map((name) => memory.get(name));

  it('keeps as many recently used values as fit', () => {
    const memory = new LruCache<number>(30);
    memory.set('a', 1, 10);
    memory.set('b', 2, 10);
    memory.set('c', 3, 10);
    memory.get('a');
    memory.set('d', 4, 10);
    expect(named(memory, 'abcd')).to.deep.equal([1, undefined, 3, 4]);
    memory.set('e', 5, 20);
    expect(named(memory, 'acde')).to.deep.equal([undefined, undefined, 4, 5]);
  });

  it('counts a name once, and keeps nothing that does not fit', () => {
    const memory = new LruCache<number>(30);
    for (const value of [1, 2, 3, 4]) memory.set('a', value, 10);
    memory.set('b', 5, 20);
    expect(named(memory, 'ab')).to.deep.equal([4, 5]);
    memory.set('c', 6, 31);
    expect(named(memory, 'abc')).to.deep.equal([undefined, undefined, undefined]);
  });
});

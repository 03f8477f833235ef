import { expect } from 'chai';
import { differences } from './differences.ts';

describe('What an edge does with random requests', () => {
  it('is what evaluation says', async () => {
    const { differences: all, seen } = await differences({ zones: 20, requests: 25 }, 1);
    expect(all.slice(0, 3)).to.deep.equal([]);
    expect(seen).to.include.all.keys(
      'serve',
      'block',
      'challenge',
      'redirect',
      'unauthorized',
      'maintenance',
      'noBackend',
      'rejected',
    );
  });
});

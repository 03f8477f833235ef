import { expect } from 'chai';
import { differences } from './differences.ts';

describe('What an edge does with many random requests', () => {
  it('is what evaluation says', async function () {
    this.timeout(600_000);
    const seed = Number(process.env['EDGE_SEED'] ?? Date.now() % 1_000_000);
    const { differences: all, seen } = await differences({ zones: 100, requests: 100 }, seed);
    process.stdout.write(`      seed ${seed}: ${JSON.stringify(seen)}\n`);
    expect(all.slice(0, 3)).to.deep.equal([]);
  });
});

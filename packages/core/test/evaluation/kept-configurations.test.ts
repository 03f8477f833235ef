import { expect } from 'chai';
import { type KeptConfiguration, keptConfigurations } from '../../src/evaluation/kept-configurations.ts';
import { ZoneId } from '../../src/index.ts';

const zone = ZoneId.parse('0193d5c0-0000-7000-8000-000000000001');
/** A configuration whose document has 11 characters more than its text. */
const configuration = (text: string): KeptConfiguration =>
  ({ document: { name: text } }) as unknown as KeptConfiguration;
const [small, large] = [configuration('a'), configuration('a'.repeat(50))];

describe('keptConfigurations', () => {
  it('keeps what was used last, by zone and revision', () => {
    const kept = keptConfigurations({ entries: 2, size: 1000 });
    const numbers = () => [1, 2, 3].filter((number) => kept.get(zone, number) !== undefined);
    kept.keep(zone, 1, small);
    kept.keep(zone, 2, small);
    expect(kept.get(zone, 1)).to.equal(small);
    expect(kept.get(ZoneId.parse('0193d5c0-0000-7000-8000-000000000002'), 1)).to.equal(undefined);
    kept.keep(zone, 3, large);
    expect(numbers()).to.deep.equal([1, 3]);
  });

  it('keeps no more than its size, and nothing that is larger', () => {
    const kept = keptConfigurations({ entries: 10, size: 40 });
    const numbers = () => [1, 2, 3, 4].filter((number) => kept.get(zone, number) !== undefined);
    for (const number of [1, 2, 3]) kept.keep(zone, number, small);
    expect(numbers()).to.deep.equal([1, 2, 3]);
    // The same again takes no more room.
    kept.keep(zone, 3, small);
    expect(numbers()).to.deep.equal([1, 2, 3]);
    kept.keep(zone, 4, small);
    expect(numbers()).to.deep.equal([2, 3, 4]);
    kept.keep(zone, 1, large);
    expect(numbers()).to.deep.equal([]);
    kept.keep(zone, 1, small);
    expect(numbers()).to.deep.equal([1]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/numbers.md'), 'utf8');
const entries = page.split('\n- ').slice(1);

/** The constants of an entry, each group with its file: `a`, `b` in `file.ts`. */
const promisesOf = (entry: string) =>
  [...entry.matchAll(/((?:`\w+`,?\s+)+)in\s+`([^`]+\.ts)`/g)].map(([, constants = '', file = '']) => ({
    names: [...constants.matchAll(/\w+/g)].map(([name]) => name),
    file,
  }));

describe('the numbers that docs/numbers.md lists', () => {
  for (const { names, file } of entries.flatMap(promisesOf)) {
    it(`are defined in ${file}: ${names.join(', ')}`, () => {
      const text = readFileSync(join(root, file), 'utf8');
      expect(names.filter((name) => !new RegExp(`^(?:export )?const ${name}\\b`, 'm').test(text))).to.deep.equal([]);
    });
  }

  it('each name a constant and its file', () => {
    expect(entries.length).to.be.at.least(50);
    expect(entries.filter((entry) => promisesOf(entry).length === 0)).to.deep.equal([]);
  });
});

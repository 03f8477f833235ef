import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const [, section = ''] = readFileSync(join(root, 'docs/README.md'), 'utf8').split('## Numbers that are promised\n');
const rows = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| [^|]+\| (`[^|]+`) +\| `([^`|]+)` +\|$/gm)];

describe('the numbers that the map lists', () => {
  for (const [, constants = '', file = ''] of rows) {
    it(`are defined in ${file}: ${constants}`, () => {
      const text = readFileSync(join(root, 'packages/core/src', file), 'utf8');
      const names = [...constants.matchAll(/\w+/g)].map(([name]) => name);
      expect(names.filter((name) => !new RegExp(`^(?:export )?const ${name}\\b`, 'm').test(text))).to.deep.equal([]);
    });
  }

  it('are all in the form of the table', () => {
    expect(rows).to.have.lengthOf(section.slice(0, section.indexOf('\n## ')).match(/^\| /gm)!.length - 2);
  });
});

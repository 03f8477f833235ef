import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const folder = join(import.meta.dirname, '../sql');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.sql'))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

/** Normalizes line breaks and table names. */
const meaningOf = (text: string): string =>
  text
    .replace(/\b[a-z]\./g, '')
    .replace(/\s+/g, ' ')
    .trim();

describe('the shared parts of statements', () => {
  const parts = files.filter(({ path }) => path.endsWith('.part.sql'));

  it('are each used by at least two files', () => {
    const uses = (path: string) =>
      files.filter(({ text }) => text.includes(`/*part ${path.replace('.part.sql', '')}*/`)).length;
    expect(parts.filter(({ path }) => uses(path) < 2).map(({ path }) => path)).to.deep.equal([]);
    expect(parts).to.not.deep.equal([]);
  });

  it('are not duplicated in any file', () => {
    const copies = parts.flatMap((part) => {
      const meaning = meaningOf(part.text).replace(/^\((.*)\)$/, '$1');
      return files.filter((file) => file !== part && meaningOf(file.text).includes(meaning)).map(({ path }) => path);
    });
    expect(copies).to.deep.equal([]);
  });
});

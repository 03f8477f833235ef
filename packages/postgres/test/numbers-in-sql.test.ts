import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const packages = join(import.meta.dirname, '../..');
const files = ['postgres', 'postgres-operations'].flatMap((name) => {
  const folder = join(packages, name, 'sql');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
});

/** What a statement may contain: no promise to anyone depends on it. */
const allowed: readonly RegExp[] = [
  // None, one or the first, and the few that tell one from several.
  /(?<![\w$.])[012]\b(?!\.)/g,
  // Milliseconds in a second.
  /[*/] 1000\b/g,
  // Times in milliseconds, as clients get them.
  /\btimestamptz\(3\)/g,
];

/** A statement without comments and without texts, which may contain anything. */
const codeOf = (text: string): string => text.replace(/--.*$/gm, '').replace(/'[^']*'/g, "''");

const numbersIn = (text: string): readonly string[] => {
  const rest = allowed.reduce((code, pattern) => code.replace(pattern, ''), codeOf(text));
  return [...rest.matchAll(/(?<![\w$.{])\d[\d.]*\b/g)].map(([number]) => number);
};

describe('the statements', () => {
  it('take every period as a parameter, from a constant with a name', () => {
    const periods = files.filter(({ text }) => /\binterval\s+'/i.test(text.replace(/--.*$/gm, '')));
    expect(periods.map(({ path }) => path)).to.deep.equal([]);
  });

  it('take every other number as a parameter, too', () => {
    const numbers = files.flatMap(({ path, text }) => numbersIn(text).map((number) => `${path}: ${number}`));
    expect(numbers).to.deep.equal([]);
  });
});

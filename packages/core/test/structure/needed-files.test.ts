import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const sources = join(import.meta.dirname, '../../src');

/** How many files of the core a use case may need, its own included. A type that is imported needs nothing. */
const limits = [
  ['zones/zones/read-zone.ts', 13],
  ['zones/rules/update-rule.ts', 45],
  ['review/change-sets/apply-change-set.ts', 58],
  ['accounts/sessions/refresh-session.ts', 6],
] as const;

/** The clause and the target of each import or export of another file of the core. */
const imports = /^(?:import|export) ([^'"]*?)(?:from )?'(\.[^']+)';$/gm;

const isOfTypes = (clause: string): boolean =>
  clause.startsWith('type ') || /^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(clause);

/** The files whose values a file imports. */
const neededBy = (file: string): readonly string[] =>
  [...readFileSync(join(sources, file), 'utf8').matchAll(imports)].flatMap(([, clause = '', target = '']) =>
    isOfTypes(clause) ? [] : [join(dirname(file), target)],
  );

/** The file and all that must exist for it to run. */
function allNeededBy(file: string): ReadonlySet<string> {
  const needed = new Set([file]);
  // A set shows entries that are added while it is walked.
  for (const each of needed) for (const other of neededBy(each)) needed.add(other);
  return needed;
}

describe('the use cases of the core', () => {
  for (const [file, limit] of limits) {
    it(`let ${file} need at most ${limit} files`, () => {
      const needed = allNeededBy(file);
      expect(needed.size, [...needed].toSorted().join('\n')).to.be.within(5, limit);
    });
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const folder = join(import.meta.dirname, '../migrations');

/** The last file of the first schema; the rule applies to later migrations. */
const firstSchema = '0006_delivery.sql';

/** Changes that the previous version, which is still running, may not survive. */
const contractions: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops', /\bDROP\s+(?:TABLE|COLUMN|VIEW|MATERIALIZED|FUNCTION|TYPE|SEQUENCE|SCHEMA|DEFAULT)\b/i],
  ['renames', /\bRENAME\s+(?:TO|COLUMN|CONSTRAINT|\w+\s+TO)\b/i],
  ['changes a type', /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i],
  ['requires a value', /\bSET\s+NOT\s+NULL\b|\bADD\s+COLUMN\b(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i],
  [
    'adds a constraint',
    /\bADD\s+(?:CONSTRAINT\s+\w+\s+)?(?:CHECK|UNIQUE|FOREIGN\s+KEY|EXCLUDE)\b|\bCREATE\s+UNIQUE\s+INDEX\b/i,
  ],
  ['empties', /\bTRUNCATE\b/i],
];

/** Contractions in a migration; none if its first line declares one. */
function contractionsIn(sql: string): readonly string[] {
  if (/^-- Contract: \S/.test(sql)) return [];
  const statements = sql.replace(/--.*$/gm, '').split(';');
  const created = statements.flatMap(
    (each) => /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.]+)/i.exec(each)?.[1] ?? [],
  );
  const isNew = (statement: string) =>
    created.some((table) => new RegExp(`\\b(?:TABLE|ON)\\s+${table}\\b`).test(statement));
  return statements
    .filter((statement) => !isNew(statement))
    .flatMap((statement) => contractions.filter(([, pattern]) => pattern.test(statement)).map(([what]) => what));
}

describe('Migrations', () => {
  it('keep the previous version running, unless they declare a contraction', () => {
    const young = readdirSync(folder).filter((name) => name > firstSchema);
    const found = young.map((name) => [name, contractionsIn(readFileSync(join(folder, name), 'utf8'))]);
    expect(found.filter(([, what]) => what?.length !== 0)).to.deep.equal([]);
  });

  const cases: readonly (readonly [sql: string, what: readonly string[]])[] = [
    ['ALTER TABLE zones DROP COLUMN tag', ['drops']],
    ['ALTER TABLE zones RENAME tag TO label', ['renames']],
    ['ALTER TABLE zones ALTER COLUMN tag TYPE integer', ['changes a type']],
    ['ALTER TABLE zones ALTER tag SET NOT NULL', ['requires a value']],
    ['ALTER TABLE zones ADD COLUMN region text NOT NULL', ['requires a value']],
    ['CREATE UNIQUE INDEX zones_tag ON zones (tag)', ['adds a constraint']],
    ['ALTER TABLE zones ADD CONSTRAINT zones_tag CHECK (length(tag) < 9) NOT VALID', ['adds a constraint']],
    ["ALTER TABLE zones ADD COLUMN region text NOT NULL DEFAULT 'eu', ADD COLUMN note text", []],
    ['CREATE TABLE regions (id int NOT NULL); CREATE UNIQUE INDEX regions_id ON regions (id)', []],
    ['-- Contract: 1.4 writes the column no more.\nALTER TABLE zones DROP COLUMN tag', []],
  ];
  for (const [sql, what] of cases) {
    it(`are ${what.length === 0 ? 'accepted' : 'refused'} with ${sql.replace('\n', ' ')}`, () => {
      expect(contractionsIn(sql)).to.deep.equal(what);
    });
  }
});

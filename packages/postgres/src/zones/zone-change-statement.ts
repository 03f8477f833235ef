import { type Statement, statementFile } from '../connection/statement.ts';

/** The parts of a zone change that affect its statement. */
export interface TouchedParts {
  /** Name, tag, host names, settings or ban token. */
  readonly zone: boolean;
  readonly hostNames: boolean;
  readonly rules: boolean;
  /** Rules are added or removed. */
  readonly ruleIds: boolean;
  readonly users: boolean;
  /** It refers to backends. */
  readonly backends: boolean;
  /** It applies a change set. */
  readonly changeSet: boolean;
}

type Part = keyof TouchedParts;

const statementFor = (name: string, ...parts: readonly Part[]) => ({
  parts: new Set(parts),
  statement: statementFile(`zones/zone-changes/apply/${name}.sql`),
});

/** The smaller ones first: leaving out untouched parts takes half the time. */
const statements = [
  statementFor('zone', 'zone'),
  statementFor('rules', 'rules'),
  statementFor('users', 'users'),
  statementFor('rule-ids', 'rules', 'ruleIds'),
  statementFor('host-names', 'zone', 'hostNames'),
  statementFor('zone-and-backends', 'zone', 'backends'),
  statementFor('rules-and-backends', 'rules', 'backends'),
  statementFor('rule-ids-and-backends', 'rules', 'ruleIds', 'backends'),
  statementFor('everything', 'zone', 'hostNames', 'rules', 'ruleIds', 'users', 'backends'),
];
const withChangeSet = statementFile('zones/zone-changes/apply/change-set.sql');

/** The smallest statement that applies a change. */
export function applyStatement({ changeSet, ...touched }: TouchedParts): Statement {
  const parts = Object.entries(touched).flatMap(([part, isTouched]) => (isTouched ? [part] : []));
  // The members are parts.
  const smallest = statements.find((each) => parts.every((part) => each.parts.has(part as Part)));
  if (changeSet || smallest === undefined) return withChangeSet;
  return smallest.statement;
}

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
  parts: new Set<string>(parts),
  statement: statementFile(`zones/zone-changes/apply/${name}.sql`),
});

/** The frequent ones, from the smallest: leaving out untouched parts takes half the time. */
const statements = [
  statementFor('zone', 'zone'),
  statementFor('rules', 'rules'),
  statementFor('rule-lists', 'rules', 'ruleIds', 'backends'),
];
const everything = statementFile('zones/zone-changes/apply/everything.sql');

/** The statement that takes host names from a zone, for the service itself. */
export const releaseStatement = statementFile('zones/zone-changes/apply/by-service.sql');

/** The smallest statement that applies a change. */
export function applyStatement(touched: TouchedParts): Statement {
  const parts = Object.entries(touched).flatMap(([part, isTouched]) => (isTouched ? [part] : []));
  const smallest = statements.find((each) => parts.every((part) => each.parts.has(part)));
  return smallest?.statement ?? everything;
}

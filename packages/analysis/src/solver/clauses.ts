import type { ConditionSet } from '@zonewright/engine';
import { type Literal, opposite, type RulePredicates } from './predicates.ts';

/** At least one of the literals holds (disjunction). */
export type Clause = readonly Literal[];

/** All of the clauses hold (conjunctive normal form). */
export type Clauses = readonly Clause[];

/** The conditions of a rule and their negation, both in conjunctive normal form. */
export interface Formula {
  readonly holds: Clauses;
  readonly fails: Clauses;
  /** The literals as written, and whether all or any of them must hold. */
  readonly literals: readonly Literal[];
  readonly isAnd: boolean;
}

/** The formula of a set of conditions. */
export function formulaOf({ logic, leaves }: ConditionSet, predicates: RulePredicates): Formula {
  const literals = leaves.map((leaf) => predicates.ofLeaf(leaf));
  return logic === 'and'
    ? { literals, isAnd: true, holds: each(literals), fails: [literals.map(opposite)] }
    : { literals, isAnd: false, holds: [literals], fails: each(literals.map(opposite)) };
}

/** The formula of a rewrite rule: its source matches, and its conditions hold if there are any. */
export function formulaWithSource(source: Literal, conditions: Formula | undefined): Formula {
  if (conditions === undefined) {
    return { literals: [source], isAnd: true, holds: [[source]], fails: [[opposite(source)]] };
  }
  return {
    literals: [source, ...conditions.literals],
    isAnd: conditions.isAnd,
    holds: [[source], ...conditions.holds],
    fails: conditions.fails.map((clause) => [opposite(source), ...clause]),
  };
}

/** Each literal as a unit clause. */
const each = (literals: readonly Literal[]): Clauses => literals.map((literal) => [literal]);

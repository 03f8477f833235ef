import type { LeafAnswer } from '../conditions/request-subjects.ts';
import { and, not, type Tri } from '../conditions/tri.ts';
import type { RuleBase } from '../configuration/configuration.ts';
import type { Names, RuleListName } from './names.ts';

/** The outcome of a rule. */
export type StepOutcome = 'matched' | 'notMatched' | 'unknown' | 'disabled' | 'afterStop' | 'inactive';

/** The members of every step. */
export interface Step {
  readonly rule: string;
  readonly name: string;
  /** Position in the list, from 1. */
  readonly order: number;
  readonly outcome: StepOutcome;
  /** Absent if the rule was not evaluated. */
  readonly leaves?: readonly LeafAnswer[];
}

/** A compiled rule with its precomputed part of evaluations. */
export interface ListedRule<R extends RuleBase, Prepared> extends Pick<Step, 'rule' | 'name' | 'order'> {
  readonly content: R;
  /** The compiled part of the rule. */
  readonly prepared: Prepared;
}

/** Compiles the rules of a list. */
export const listed = <R extends RuleBase, Prepared>(
  rules: readonly R[],
  list: RuleListName,
  names: Names,
  prepare: (rule: R) => Prepared,
): ListedRule<R, Prepared>[] =>
  rules.map((content, index) => ({
    content,
    prepared: prepare(content),
    rule: names.rule(list, content.id),
    name: content.name,
    order: index + 1,
  }));

/** The outcome of a rule that is not evaluated; undefined: it is evaluated. */
export function skippedOutcome(
  { enabled }: Pick<RuleBase, 'enabled'>,
  ended: Tri,
): 'disabled' | 'afterStop' | undefined {
  if (!enabled) return 'disabled';
  return ended === 'true' ? 'afterStop' : undefined;
}

/** Whether a rule applies: the list has not ended, and its result is true. */
export const applies = (ended: Tri, result: Tri): Tri => (ended === 'false' ? result : and(not(ended), result));

const outcomes = { true: 'matched', false: 'notMatched', unknown: 'unknown' } as const satisfies Record<
  Tri,
  StepOutcome
>;

/** The outcome of an evaluated rule. */
export const outcomeOf = (applied: Tri): (typeof outcomes)[Tri] => outcomes[applied];

import type { LeafAnswer } from '../conditions/seen-subjects.ts';
import { and, not, type Tri } from '../conditions/tri.ts';
import type { RuleBase } from '../configuration/configuration.ts';
import type { Names, RuleListName } from './names.ts';

/** What became of one rule of a list. */
export type StepOutcome = 'matched' | 'notMatched' | 'unknown' | 'disabled' | 'afterStop' | 'inactive';

/** What every step of a phase has. */
export interface Step {
  readonly rule: string;
  readonly name: string;
  /** Place in the list, from 1. */
  readonly order: number;
  readonly outcome: StepOutcome;
  /** Left out where the rule was not looked at. */
  readonly leaves?: readonly LeafAnswer[];
}

/** A rule that is ready for requests, with what an answer says of it. */
export interface ListedRule<R extends RuleBase, Prepared> {
  readonly content: R;
  /** What was made of the rule so that requests need not make it. */
  readonly prepared: Prepared;
  readonly rule: string;
  readonly name: string;
  readonly order: number;
}

/** Prepares the rules of a list. */
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

/** How a rule comes out that is not looked at; undefined: it is looked at. */
export function unlooked({ enabled }: Pick<RuleBase, 'enabled'>, ended: Tri): 'disabled' | 'afterStop' | undefined {
  if (!enabled) return 'disabled';
  return ended === 'true' ? 'afterStop' : undefined;
}

/** Whether a rule applies: the list has not ended before, and its result is true. */
export const applies = (ended: Tri, result: Tri): Tri => (ended === 'false' ? result : and(not(ended), result));

const outcomes = { true: 'matched', false: 'notMatched', unknown: 'unknown' } as const satisfies Record<
  Tri,
  StepOutcome
>;

/** How a rule comes out that was looked at. */
export const outcomeOf = (applied: Tri): (typeof outcomes)[Tri] => outcomes[applied];

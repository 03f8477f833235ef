import type { ConfigurationRule, SettingKey } from '@zonewright/engine';
import { type AnalysedRule, failsOf, reachedIn } from '../findings/analysed-rules.ts';
import { writes } from '../findings/setting-findings.ts';
import type { Clauses } from '../solver/clauses.ts';
import { type Branches, branchesBackTo, branchesPast, branchesToAnswer } from './branches.ts';
import { kindOf } from './change.ts';
import { type Aspect, answersAlike, aspects } from './differences.ts';
import type { Lists } from './lists.ts';
import { goesOn, type Routes } from './routes.ts';
import type { Comparison, Views } from './search.ts';
import type { Side, Writer } from './side.ts';

type Rule = AnalysedRule<ConfigurationRule>;

/**
 * Writers of one setting in both configurations that give it different values and can be effective for the same
 * request.
 */
export interface WriterPair {
  readonly before: Writer;
  readonly after: Writer;
  /** What must hold, as each side's rules see the request, for both to be effective. */
  readonly clauses: { readonly before: Clauses; readonly after: Clauses };
}

/** Searches for requests with different effective settings. */
export function seekSettings(comparison: Comparison, lists: Lists, routes: Routes): void {
  const all = [...routes.same, ...routes.different.filter(goesOn)];
  for (const aspect of aspects) {
    for (const pair of writerPairs(comparison, lists, aspect)) {
      const because = {
        before: aspect.because(comparison.before, pair.before),
        after: aspect.because(comparison.after, pair.after),
      };
      const wanted = kindOf({ key: aspect.key, because });
      comparison.seek({
        before: pair.clauses.before,
        after: pair.clauses.after,
        routes: all,
        // Whatever has settings has another reading of paths.
        isCovered: !comparison.isReadAlike && aspect.source !== 'pathNormalization',
        isShown: (kinds) => kinds.has(wanted),
        branches: (views) => branchesToPair(comparison, views, aspect, pair),
      });
      if (comparison.isFull || comparison.isOver) return;
    }
  }
}

function branchesToPair(
  comparison: Comparison,
  views: Views,
  { key, source }: Aspect,
  pair: WriterPair,
): Branches | undefined {
  const past = branchesPastBoth(views);
  if (past !== undefined) return past;
  const { before, after } = views;
  if (!answersAlike(before, after)) return branchesToAnswers(comparison, views);
  if (before.writer(source) !== pair.before) return branchesBackTo(before, source, pair.before, 'before');
  if (after.writer(source) !== pair.after) return branchesBackTo(after, source, pair.after, 'after');
  return key === 'backend' && before.evaluation.disposition !== 'serve'
    ? branchesToAnswers(comparison, views)
    : undefined;
}

/** Ways to avoid access rules that ended the request in either configuration; undefined if none did. */
export const branchesPastBoth = ({ before, after }: Views): Branches | undefined =>
  branchesPast(before) ?? branchesPast(after);

/** Ways to a different answer in either configuration, if neither an access rule nor a redirect answers. */
export const branchesToAnswers = ({ predicates }: Comparison, { before, after }: Views): Branches => [
  ...branchesToAnswer(before, predicates, 'before'),
  ...branchesToAnswer(after, predicates, 'after'),
];

/** All pairs of writers that can be effective together and give the setting different values. */
export function* writerPairs(comparison: Comparison, lists: Lists, aspect: Aspect): Generator<WriterPair> {
  const { before, after } = comparison;
  const key = aspect.source;
  const [ones, others] = [before.writers(key), after.writers(key)];
  const meaning = (side: Side, writer: Writer): unknown => aspect.of(side, side.valueOf(key, writer));
  const meanings = new Map([undefined, ...others].map((writer) => [writer, meaning(after, writer)]));
  for (const one of [undefined, ...ones]) {
    const value = meaning(before, one);
    for (const other of [undefined, ...others]) {
      if (comparison.isOver) return;
      if (!aspect.differs(value, meanings.get(other))) continue;
      for (const more of together(comparison, lists, key, one, other)) {
        const clauses = {
          before: [...reachedBy(before, key, one), ...more.before],
          after: [...reachedBy(after, key, other), ...more.after],
        };
        yield { before: one, after: other, clauses };
      }
    }
  }
}

/** Alternative conditions for two writers to be effective together; empty if they cannot be. */
function together(comparison: Comparison, { rules }: Lists, key: SettingKey, one: Writer, other: Writer) {
  const free = [{ before: [], after: [] }];
  if (!isStable(one, key, rules.partner) || !isStable(other, key, rules.partner)) return free;
  const counterpart = one === undefined ? undefined : rules.partner(one);
  if (counterpart === other) return free;
  // If both writers are in both lists in the same order, the later one wins wherever it is reached. So for the earlier
  // one to be effective, a rule exclusive to its list must have stopped that list in between.
  const isLater = (counterpart?.place ?? -1) < (other?.place ?? -1);
  const [only, list, from, to] = isLater
    ? [rules.only.before, comparison.before, one, other === undefined ? undefined : rules.partner(other)]
    : [rules.only.after, comparison.after, other, counterpart];
  const ending = only.filter(({ stops, place }) => stops && place > (from?.place ?? -1) && place < (to?.place ?? -1));
  return ending.map((rule) => {
    const clauses = reachedIn(list.rules.configurationRules, rule);
    return isLater ? { before: clauses, after: [] } : { before: [], after: clauses };
  });
}

const isStable = (writer: Writer, key: SettingKey, partner: (rule: Rule) => Rule | undefined): boolean => {
  if (writer === undefined) return true;
  const counterpart = partner(writer);
  return counterpart !== undefined && writes(counterpart, key);
};

/** The writer is reached, and no later writer applies up to the first rule that may stop the list. */
export function reachedBy(side: Side, key: SettingKey, writer: Writer): Clauses {
  const rules = side.rules.configurationRules;
  const from = writer?.place ?? -1;
  if (writer?.stops === true) return reachedIn(rules, writer);
  const stop = rules.find(({ stops, place }) => stops && place > from)?.place ?? rules.length;
  const certain = side.writers(key).filter(({ place }) => place > from && place <= stop);
  return [...reachedIn(rules, writer), ...failsOf(certain)];
}

import type { PathNormalization, RewriteRule } from '@zonewright/engine';
import type { Clause } from '../solver/clauses.ts';
import { addressWord, defaultAddress } from '../texts/address-words.ts';
import type { PartLiteral } from '../texts/part-literals.ts';
import type { AnalysedRule } from './analysed-rules.ts';
import { pathAfter } from './path-after.ts';

type Rule = AnalysedRule<RewriteRule>;

/**
 * The redirects that may begin an endless chain: those whose new path may be redirected again by such a one. Decided by
 * the paths alone, since what else a rule asks for can only end a chain. Most redirects of most zones are left out,
 * without a question to the solver.
 */
export function beginningsOfChains(redirects: readonly Rule[], normalization: PathNormalization): readonly Rule[] {
  const followers = new Map(redirects.map((rule) => [rule, followersOf(rule, redirects, normalization)]));
  let left = redirects;
  for (;;) {
    const chained = new Set(left);
    const next = left.filter((rule) => followers.get(rule)?.some((follower) => chained.has(follower)));
    if (next.length === left.length) return left;
    left = next;
  }
}

function followersOf({ content }: Rule, redirects: readonly Rule[], normalization: PathNormalization): readonly Rule[] {
  const after = pathAfter(content, normalization);
  if (after === undefined) return redirects;
  const word = addressWord({ ...defaultAddress, path: after.text });
  const mayHold = after.isWhole ? holdsOnPath(word) : isCompatible(after);
  return redirects.filter(({ formula }) => formula.holds.every(mayHold));
}

/** Whether the clause holds on the path of the word, as far as it is about the path alone. */
const holdsOnPath =
  (word: string) =>
  (clause: Clause): boolean =>
    clause.some(({ predicate: { variable, parts, fits }, positive }) => {
      const isOnPath = variable === 'address' && parts?.every((part) => part === 'path') === true;
      return !isOnPath || fits(word) === positive;
    });

/** Whether a path that begins with the text may satisfy the clause. */
const isCompatible =
  ({ text }: PartLiteral) =>
  (clause: Clause): boolean =>
    clause.some(({ predicate: { literal }, positive }) => {
      if (literal?.part !== 'path' || !positive) return true;
      return literal.text.startsWith(text) || (!literal.isWhole && text.startsWith(literal.text));
    });

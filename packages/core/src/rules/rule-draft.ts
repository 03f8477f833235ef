import { Result } from 'neverthrow';
import { z } from 'zod';
import { type RuleContents, type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type InvalidInput, invalidInput } from '../shared/violation.ts';
import { RulePosition } from './rule-order.ts';

/** What a client writes of a rule. */
export interface RuleDraft<K extends RuleKind = RuleKind> {
  readonly content: RuleContents[K];
  /** Where the rule is put; undefined: at the end, or where it is. */
  readonly order: RulePosition | undefined;
}

const Placed = z.object({ order: RulePosition.optional() });

/** Checks what a client writes of a rule; every violation of its members and of its position is listed. */
export function parseRuleDraft<K extends RuleKind>(kind: K, body: JsonObject): Result<RuleDraft<K>, InvalidInput> {
  if (!ruleKinds[kind].isOrdered) return parseRuleContent(kind, body).map((content) => ({ content, order: undefined }));
  const { order, ...members } = body;
  const placed = parseDocument(Placed, order === undefined ? {} : { order });
  return Result.combineWithAllErrors([parseRuleContent(kind, members), placed.map((place) => place.order)])
    .map(([content, position]) => ({ content, order: position }))
    .mapErr((errors) => invalidInput(errors.flatMap(({ violations }) => violations)));
}

/** Checks the content of a rule alone, without a position. */
export const parseRuleContent = <K extends RuleKind>(
  kind: K,
  members: JsonObject,
): Result<RuleContents[K], InvalidInput> => parseDocument(ruleKinds[kind].schema, members);

import { Result } from 'neverthrow';
import { z } from 'zod';
import type { JsonObject } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type InvalidInput, invalidInput } from '../shared/violation.ts';
import type { RuleDraft } from './rule.ts';
import { type RuleContents, type RuleKind, ruleKinds } from './rule-kinds.ts';
import { RulePosition } from './rule-order.ts';

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

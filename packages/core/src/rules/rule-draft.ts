import { Result } from 'neverthrow';
import { z } from 'zod';
import { unmatchableValues } from '../conditions/unmatchable.ts';
import { type RuleContents, type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { RulePosition } from '../rule-kinds/rule-order.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type InvalidInput, joined, requireNone, type Violation, violationsUnder } from '../shared/violation.ts';

/** What a client writes of a rule. */
export interface RuleDraft<K extends RuleKind = RuleKind> {
  readonly content: RuleContents[K];
  /** Where the rule is put; undefined: at the end, or where it is. */
  readonly order: RulePosition | undefined;
}

const Placed = z.object({ order: RulePosition.optional() });

/**
 * Checks what a client writes of a rule; every violation of its members and of its position is listed. `before` is the
 * content that it changes.
 */
export function parseRuleDraft<K extends RuleKind>(
  kind: K,
  body: JsonObject,
  before: JsonObject = {},
): Result<RuleDraft<K>, InvalidInput> {
  if (!ruleKinds[kind].isOrdered) {
    return parseWrittenRule(kind, body, before).map((content) => ({ content, order: undefined }));
  }
  const { order, ...members } = body;
  const placed = parseDocument(Placed, order === undefined ? {} : { order });
  return Result.combineWithAllErrors([parseWrittenRule(kind, members, before), placed.map((place) => place.order)])
    .map(([content, position]) => ({ content, order: position }))
    .mapErr(joined);
}

/** Checks the content of a rule alone, without a position; what was stored once is always accepted. */
export const parseRuleContent = <K extends RuleKind>(
  kind: K,
  members: JsonObject,
): Result<RuleContents[K], InvalidInput> => parseDocument(ruleKinds[kind].schema, members);

/** Checks content that a client writes: besides, none of its conditions that are new may be one that no request fits. */
export const parseWrittenRule = <K extends RuleKind>(
  kind: K,
  members: JsonObject,
  before: JsonObject = {},
): Result<RuleContents[K], InvalidInput> =>
  Result.combineWithAllErrors([parseRuleContent(kind, members), requireNone(unmatchableIn(members, before))])
    .map(([content]) => content)
    .mapErr(joined);

/** The members of a rule with a merge patch (RFC 7396) on them, not yet checked. */
export const patchedMembers = (kind: RuleKind, stored: JsonObject, patch: JsonObject): JsonObject =>
  // A patch that is an object always leads to an object.
  mergePatch(ruleKinds[kind].before?.(patch, stored) ?? stored, patch) as JsonObject;

/** The members of rules that hold conditions. */
const conditionMembers = ['conditions', 'filter'] as const;

/** Which conditions of a rule can never be fulfilled, as far as they differ from those before. */
export const unmatchableIn = (members: JsonObject, before: JsonObject): readonly Violation[] =>
  conditionMembers.flatMap((member) => violationsUnder(member, unmatchableValues(members[member], before[member])));

import { Result } from 'neverthrow';
import { z } from 'zod';
import { type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { parseDocument } from '../../kernel/shared/parse.ts';
import {
  type InvalidInput,
  joined,
  requireNone,
  type Violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import { unmatchableValues } from '../conditions/conditions.ts';
import { type RuleContents, type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { RulePosition } from '../rule-kinds/rule-order.ts';

/** The client-supplied part of a rule. */
export interface RuleDraft<K extends RuleKind = RuleKind> {
  readonly content: RuleContents[K];
  /** Where to put the rule; undefined: at the end, or where it already is. */
  readonly order: RulePosition | undefined;
}

const Placed = z.object({ order: RulePosition.optional() });

/** Validates the client-supplied part of a rule and reports all violations. `before` is the content being changed. */
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

/** Validates the content of a rule without a position; accepts everything that was ever stored. */
export const parseRuleContent = <K extends RuleKind>(
  kind: K,
  members: JsonObject,
): Result<RuleContents[K], InvalidInput> => parseDocument(ruleKinds[kind].schema, members);

/** Validates content as a write: its new conditions must also be ones that requests can match. */
export const parseWrittenRule = <K extends RuleKind>(
  kind: K,
  members: JsonObject,
  before: JsonObject = {},
): Result<RuleContents[K], InvalidInput> =>
  Result.combineWithAllErrors([parseRuleContent(kind, members), requireNone(unmatchableIn(members, before))])
    .map(([content]) => content)
    .mapErr(joined);

/** The members of a rule with a merge patch (RFC 7396) applied, not validated yet. */
export const patchedMembers = (kind: RuleKind, stored: JsonObject, patch: JsonObject): JsonObject =>
  mergePatch(ruleKinds[kind].before?.(patch, stored) ?? stored, patch);

/** The rule members that contain conditions. */
const conditionMembers = ['conditions', 'filter'] as const;

type WithConditions = Readonly<Partial<Record<(typeof conditionMembers)[number], unknown>>>;

/** Violations for conditions that can never match, unless unchanged from `before`. */
export const unmatchableIn = (members: WithConditions, before: WithConditions): readonly Violation[] =>
  conditionMembers.flatMap((member) => violationsUnder(member, unmatchableValues(members[member], before[member])));

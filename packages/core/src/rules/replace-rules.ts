import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import { type RuleContents, type RuleKind } from '../rule-kinds/rule-kinds.ts';
import { lockReferents } from '../settings/references.ts';
import { RuleId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type Json, type JsonObject, jsonOf } from '../shared/merge-patch.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import {
  type InvalidInput,
  invalidInput,
  maxViolations,
  propertyPath,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../shared/violation.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RulePage } from './ports.ts';
import { listViolations, rewriteList } from './rewrite-list.ts';
import { parseRuleContent, unmatchableIn } from './rule-draft.ts';
import { changedPositions, type PositionChange } from './rule-order.ts';
import { recordRuleChange, referencesOf } from './rule-write.ts';

/** One rule of a wanted list: an existing one, named by its id, or a new one. */
export interface WantedRule<K extends RuleKind> {
  readonly id: RuleId | undefined;
  readonly content: RuleContents[K];
}

/** A replaced list, and the rules that stand elsewhere than before. */
export interface ReplacedRules<K extends RuleKind> extends RulePage<K> {
  readonly moved: readonly PositionChange[];
}

export type ReplaceRulesError = ZoneAccessError | VersionMismatch | InvalidInput;
export type ReplaceRules = <K extends RuleKind>(
  caller: Caller,
  list: RuleList<K>,
  wanted: readonly WantedRule<K>[],
  expected: ExpectedVersions,
) => ResultAsync<ReplacedRules<K>, ReplaceRulesError>;

/**
 * Makes a list exactly what is wanted, in that order and at once: rules that are named by their id stay and change,
 * others are new, and what is not wanted goes. `expected` are revisions of the list. Nothing happens unless all of it
 * is valid; paths of violations start at the place in the list.
 */
export const replaceRules =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork; randomness: Randomness }): ReplaceRules =>
  (caller, list, wanted, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { rules } = repositories;
        const zone = yield* lockZoneFor(repositories, caller, list.zone, 'rules.write');
        const version = String((yield* rules.order(list)).revision);
        yield* requireVersion(expected, version);
        const current = yield* rules.all(list);
        yield* requireKnown(wanted, new Set(current.map(({ id }) => id)));
        yield* requireNone(unmatchableWanted(wanted, current));
        const written = wanted.map(({ id, content }) => ({
          id: id ?? RuleId.parse(randomness.uuid()),
          content: jsonDocument(content),
        }));
        const contents = written.map(({ content }) => content.value);
        const referents = yield* lockReferents(repositories, zone, referencesOf(contents));
        yield* requireNone(listViolations(zone, referents, list.kind, written));
        const { before, after } = yield* rewriteList(repositories, list, { current, wanted: written });
        const moved = changedPositions(before.order, after.order);
        const changed = Object.keys(before.items).length + Object.keys(after.items).length > 0;
        if (changed || moved.length > 0) {
          yield* recordRuleChange(repositories, caller, zone, { kind: list.kind, verb: 'replaced', before, after });
        }
        const items = yield* rules.all(list);
        const { revision } = yield* rules.order(list);
        return ok({ items, totalItems: items.length, revision, moved });
      }),
    );

/** Conditions that can never be fulfilled; those of rules that are there may stay as they are. */
function unmatchableWanted<K extends RuleKind>(
  wanted: readonly WantedRule<K>[],
  current: readonly Rule<K>[],
): readonly Violation[] {
  const known = new Map(current.map(({ id, content }) => [id, jsonOf(content) as JsonObject]));
  return wanted.flatMap(({ id, content }, index) => {
    const before = id === undefined ? undefined : known.get(id);
    // Content is made of JSON.
    return violationsUnder(`[${index}]`, unmatchableIn(content as unknown as JsonObject, before ?? {}));
  });
}

function requireKnown<K extends RuleKind>(
  wanted: readonly WantedRule<K>[],
  known: ReadonlySet<RuleId>,
): Result<void, InvalidInput> {
  const seen = new Set<RuleId>();
  const violations = wanted.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    const path = propertyPath([index, 'id']);
    if (!known.has(id)) return [violation(path, 'rule.unknown', 'The zone has no such rule.')];
    if (seen.has(id)) return [violation(path, 'list.duplicate', 'This entry repeats an earlier one.')];
    seen.add(id);
    return [];
  });
  return requireNone(violations);
}

const MaybeId = RuleId.optional();

/** Checks a list of rules as a client wrote it, entry by entry until there are as many violations as are reported. */
export function parseWantedRules<K extends RuleKind>(
  kind: K,
  entries: readonly Json[],
): Result<readonly WantedRule<K>[], InvalidInput> {
  const rules: WantedRule<K>[] = [];
  const violations: Violation[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed = parseWanted(kind, entry, index);
    if (parsed.isOk()) rules.push(parsed.value);
    else violations.push(...parsed.error.violations);
    if (violations.length >= maxViolations) break;
  }
  return requireNone(violations).map(() => rules);
}

function parseWanted<K extends RuleKind>(kind: K, entry: Json, index: number): Result<WantedRule<K>, InvalidInput> {
  if (!isJsonObject(entry)) {
    return err(invalidInput([violation(propertyPath([index]), 'member.type', 'This value should be an object.')]));
  }
  const { id, ...members } = entry;
  const named = MaybeId.safeParse(id ?? undefined);
  return parseRuleContent(kind, members)
    .map((content) => ({ id: named.data, content }))
    .andThen((rule) =>
      named.success ? ok(rule) : err(invalidInput([violation('id', 'rule.unknown', 'The zone has no such rule.')])),
    )
    .mapErr(({ violations }) => invalidInput(violationsUnder(`[${index}]`, violations)));
}

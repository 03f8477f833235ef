import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { RuleId } from '../../kernel/shared/ids.ts';
import { isJsonObject, type Json, jsonDocument, jsonOf } from '../../kernel/shared/json.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import {
  type InvalidInput,
  invalidAt,
  invalidInput,
  maxViolations,
  propertyPath,
  requireNone,
  under,
  type Violation,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import { type RuleContents, type RuleKind } from '../rule-kinds/rule-kinds.ts';
import { unknownRule } from '../rule-kinds/rule-lists.ts';
import { orderOf, type PositionChange } from '../rule-kinds/rule-order.ts';
import { changeZone, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import { decideWithReferences } from '../zone-changes/decision.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { listChange, movedIn } from './list-change.ts';
import type { RulePage } from './ports.ts';
import { parseRuleContent, unmatchableIn } from './rule-draft.ts';
import { characterViolations, listViolations, referencesOf, ruleCapacityIn } from './rule-validity.ts';

/** A rule of the new list: an existing one with its id, or a new one. */
export interface WantedRule<K extends RuleKind> {
  readonly id: RuleId | undefined;
  readonly content: RuleContents[K];
}

/** A replaced list, and the rules whose position changed. */
export interface ReplacedRules<K extends RuleKind> extends RulePage<K> {
  readonly moved: readonly PositionChange[];
}

/**
 * Replaces a whole list atomically: rules with an id are updated, rules without one are created, and all others are
 * deleted. `expected` are revisions of the list. Nothing changes unless everything is valid; violation paths start at
 * the index in the list.
 */
export const replaceRules =
  ({ unitOfWork, randomness }: Pick<Dependencies<ZoneChangeRepositories>, 'unitOfWork' | 'randomness'>) =>
  <K extends RuleKind>(
    caller: Caller,
    { zone, kind }: RuleList<K>,
    wanted: readonly WantedRule<K>[],
    expected: ExpectedVersions,
  ): ResultAsync<ReplacedRules<K>, ZoneAccessError | VersionMismatch | InvalidInput> => {
    const written = wanted.map(({ id, content }) => ({
      id: id ?? RuleId.parse(randomness.uuid()),
      content: jsonDocument(content),
    }));
    return changeZone(unitOfWork, caller, zone, {
      permission: 'rules.write',
      decide: (basis) =>
        safeTry(function* () {
          const { zone: current, rules, listRevisions } = basis.state;
          yield* requireVersion(expected, String(listRevisions[kind]));
          yield* requireKnown(wanted, new Set(orderOf(rules[kind])));
          yield* requireNone(unmatchableWanted(wanted, rules[kind]));
          const settings = referencesOf(written.map(({ content }) => content.value));
          return decideWithReferences(basis.state, { settings }, (referents) =>
            requireNone([
              ...listViolations({ ...current, ...ruleCapacityIn(basis) }, referents, kind, written),
              ...characterViolations(ruleCapacityIn(basis), { ...rules, [kind]: written }),
            ]).map(() => listChange(basis.state, kind, 'replaced', { rules: written })),
          );
        }),
    }).map((changed) => {
      const { rules, listRevisions } = changed.after;
      const items = rules[kind];
      return { items, totalItems: items.length, revision: listRevisions[kind], moved: movedIn(changed, kind) };
    });
  };

/** Violations for conditions that can never match; existing ones may stay. */
function unmatchableWanted<K extends RuleKind>(
  wanted: readonly WantedRule<K>[],
  current: readonly Rule<K>[],
): readonly Violation[] {
  const contents = new Map(current.map(({ id, content }) => [id, jsonOf(content)]));
  return wanted.flatMap(({ id, content }, index) => {
    const before = id === undefined ? undefined : contents.get(id);
    return violationsUnder(`[${index}]`, unmatchableIn(content, before ?? {}));
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
    if (!known.has(id)) return [unknownRule(path)];
    if (seen.has(id)) return [violation(path, 'list.duplicate', 'This entry repeats an earlier one.')];
    seen.add(id);
    return [];
  });
  return requireNone(violations);
}

const MaybeId = RuleId.optional();

/** Validates a list of rules from a client, stopping once the maximum number of violations is reached. */
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
    return err(invalidAt(propertyPath([index]), 'member.type', 'This value should be an object.'));
  }
  const { id, ...members } = entry;
  const named = MaybeId.safeParse(id ?? undefined);
  return parseRuleContent(kind, members)
    .map((content) => ({ id: named.data, content }))
    .andThen((rule) => (named.success ? ok(rule) : err(invalidInput([unknownRule('id')]))))
    .mapErr(under(`[${index}]`));
}

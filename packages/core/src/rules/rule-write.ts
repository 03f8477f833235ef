import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { recordChange } from '../history/record-change.ts';
import type { Repositories } from '../repositories.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import { type RuleContents, type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { inconsistenciesWith } from '../settings/consistency.ts';
import { brokenReferences, lockReferents, type Referents, type SettingsReferences } from '../settings/references.ts';
import type { RuleId } from '../shared/ids.ts';
import { type Json, jsonOf } from '../shared/merge-patch.ts';
import {
  type InvalidInput,
  invalidInput,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../shared/violation.ts';
import type { Zone } from '../zones/zone.ts';
import type { RuleClash, WrittenRule } from './ports.ts';
import type { PositionChange, RuleOrder } from './rule-order.ts';

/** A written rule, and every rule of the list whose position the write changed. */
export interface RuleChange<K extends RuleKind = RuleKind> {
  readonly rule: Rule<K>;
  readonly moved: readonly PositionChange[];
}

/** Refuses a rule that clashes with another one or that makes no sense in its zone. */
export const requireValidRule = <K extends RuleKind>(
  repositories: Repositories,
  zone: Zone,
  list: RuleList<K>,
  rule: WrittenRule<K>,
): ResultAsync<void, InvalidInput> =>
  safeTry(async function* () {
    const clashes = yield* repositories.rules.clashes(list, rule);
    const { value: content } = rule.content;
    const referents = yield* lockReferents(repositories, zone, referencesOf([content]));
    const against = violationsInZone(zone, referents, content);
    return requireNone([...clashes.map((clash) => clashViolation(list.kind, clash)), ...against]);
  });

/** What rules name outside of their zone: only overrides name anything. */
export const referencesOf = (contents: readonly RuleContents[RuleKind][]): readonly SettingsReferences[] =>
  contents.flatMap((content) => ('settingsOverrides' in content ? [content.settingsOverrides] : []));

/** What of a zone its rules have to fit. */
export interface ZoneAroundRules {
  readonly name: string;
  readonly settings: Zone['settings'];
}

/**
 * What the content of a rule breaks on top of its zone's settings, and which of its references lead nowhere (interface,
 * "Configuration rule update", rule 2); paths start at the rule. Only overrides depend on the zone.
 */
export const violationsInZone = (
  zone: ZoneAroundRules,
  referents: Referents,
  content: RuleContents[RuleKind],
): readonly Violation[] =>
  'settingsOverrides' in content
    ? violationsUnder('settingsOverrides', [
        ...inconsistenciesWith(zone.settings.value, content.settingsOverrides, 'overrides'),
        ...brokenReferences(zone, referents, content.settingsOverrides),
      ])
    : [];

/** The clash that only the storage saw, as the violation it is. */
export const ruleClashed =
  (kind: RuleKind) =>
  (clash: RuleClash): InvalidInput =>
    invalidInput([clashViolation(kind, clash)]);

const clashViolation = (kind: RuleKind, { type }: RuleClash): Violation => {
  const { nameTaken, uniqueKey } = ruleKinds[kind];
  return type === 'RuleKeyTaken' && uniqueKey !== undefined ? uniqueKey.taken : nameTaken;
};

/** What is wrong with a list that would hold too many rules. */
export function roomViolations(kind: RuleKind, count: number): readonly Violation[] {
  const { limit, member } = ruleKinds[kind];
  return count > limit ? [violation('', `zone.${member}.limit`, `A zone can have at most ${limit} ${member}.`)] : [];
}

/** A list at one moment, as far as a write touches it. */
export interface ListState {
  readonly order: RuleOrder;
  /** The content of each touched rule that is there. */
  readonly items: Readonly<Record<RuleId, Json>>;
}

/** What every write of a list ends with: the zone has another revision, and history and audit log know. */
export const recordRuleChange = (
  repositories: Repositories,
  caller: Caller,
  zone: Zone,
  {
    kind,
    verb,
    id,
    before,
    after,
  }: {
    readonly kind: RuleKind;
    readonly verb: 'created' | 'changed' | 'moved' | 'deleted' | 'replaced';
    readonly id?: RuleId;
    readonly before: ListState;
    readonly after: ListState;
  },
): ResultAsync<void, never> => {
  const { member } = ruleKinds[kind];
  return recordChange(repositories, caller, zone, {
    action: `${kind}.${verb}`,
    objects: id === undefined ? {} : { rule: id },
    before: { [member]: { ...before } },
    after: { [member]: { ...after } },
  });
};

/** The touched rule as history writes it down. */
export const touched = ({ id, content }: Pick<WrittenRule, 'id' | 'content'>): ListState['items'] => ({
  [id]: jsonOf(content),
});

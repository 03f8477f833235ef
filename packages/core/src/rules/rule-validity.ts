import type { Result } from 'neverthrow';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import { clashesBetween, ruleKeys } from '../rule-kinds/rule-keys.ts';
import type { RuleContents, RuleKind } from '../rule-kinds/rule-kinds.ts';
import { inconsistenciesWith } from '../settings/consistency.ts';
import { brokenReferences, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import { type InvalidInput, requireNone, type Violation, violationsUnder } from '../shared/violation.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { Zone } from '../zones/zone.ts';
import { characterViolations, ruleCapacityIn, sizeViolations } from './rule-limits.ts';

/** Rejects a rule that clashes with another one or is invalid in its zone. */
export function requireValidRule<K extends RuleKind>(
  basis: StateWithLimits,
  kind: K,
  { id, content }: WrittenRule<K>,
): Result<Decision<void, InvalidInput>, InvalidInput> {
  const { zone, rules } = basis.state;
  const before = rules[kind].find((rule) => rule.id === id);
  const others = rules[kind].filter((rule) => rule.id !== id);
  const keys = others.map((rule) => ruleKeys(kind, rule.content));
  const clashes = clashesBetween(kind, ruleKeys(kind, content), keys, before && ruleKeys(kind, before.content));
  return decideWithReferences(basis.state, { settings: referencesOf([content.value]) }, (referents) =>
    requireNone([
      ...clashes,
      ...sizeViolations(basis.limits, content, before?.content),
      ...violationsInZone(zone, referents, content.value),
      ...characterViolations(ruleCapacityIn(basis), { ...rules, [kind]: [...others, { id, content }] }),
    ]),
  );
}

/** The references of rules to other things: only overrides have any. */
export const referencesOf = (contents: readonly RuleContents[RuleKind][]): readonly SettingsReferences[] =>
  contents.flatMap((content) => ('settingsOverrides' in content ? [content.settingsOverrides] : []));

/** What rules must be consistent with in their zone. */
export interface EnclosingZone {
  readonly name: string;
  readonly settings: Zone['settings'];
}

/**
 * Violations of a rule in combination with the zone's settings, and references that do not resolve (interface,
 * "Configuration rule update", rule 2); paths start at the rule. Only overrides depend on the zone.
 */
export const violationsInZone = (
  zone: EnclosingZone,
  referents: ReferenceTargets,
  content: RuleContents[RuleKind],
): readonly Violation[] =>
  'settingsOverrides' in content
    ? violationsUnder('settingsOverrides', [
        ...inconsistenciesWith(zone.settings.value, content.settingsOverrides, 'overrides'),
        ...brokenReferences(zone, referents, content.settingsOverrides),
      ])
    : [];

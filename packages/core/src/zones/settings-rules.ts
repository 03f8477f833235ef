import { type Violation, violation } from '../shared/violation.ts';
import type { OverridableKey } from './settings-keys.ts';
import type { SettingsOverrides } from './settings-overrides.ts';
import type { ZoneSettings } from './zone-settings.ts';

/** Two settings that must fit together. */
interface PairRule {
  readonly first: OverridableKey;
  readonly second: OverridableKey;
  /** What is wrong between the two, reported at the one that is to blame. */
  readonly violations: (settings: ZoneSettings, blamed: 'first' | 'second') => readonly Violation[];
}

type QualityKey = Extract<OverridableKey, `${string}Quality${'Min' | 'Target' | 'Max'}`>;

const ascending = (first: QualityKey, second: QualityKey): PairRule => ({
  first,
  second,
  violations: (settings, blamed) => {
    if (settings[first] <= settings[second]) return [];
    const [key, other, bound] = blamed === 'first' ? [first, second, 'at most'] : [second, first, 'at least'];
    const message = `This value (${settings[key]}) should be ${bound} ${other} (${settings[other]}).`;
    return [violation(key, 'settings.quality.order', message)];
  },
});

type HeaderList = Extract<OverridableKey, `headersResponse${string}`>;

const namesIn = (
  settings: ZoneSettings,
  list: HeaderList,
): readonly { readonly name: string; readonly path: string }[] =>
  settings[list].map((entry, index) =>
    typeof entry === 'string'
      ? { name: entry.toLowerCase(), path: `${list}[${index}]` }
      : { name: entry.name.toLowerCase(), path: `${list}[${index}].name` },
  );

const disjoint = (first: HeaderList, second: HeaderList): PairRule => ({
  first,
  second,
  violations: (settings, blamed) => {
    const [list, other] = blamed === 'first' ? [first, second] : [second, first];
    const names = new Set(namesIn(settings, other).map(({ name }) => name));
    return namesIn(settings, list)
      .filter(({ name }) => names.has(name))
      .map(({ path }) => violation(path, 'settings.header.conflict', `This header is also listed in ${other}.`));
  },
});

const pairRules: readonly PairRule[] = [
  ascending('imageOptimizationJpegQualityMin', 'imageOptimizationJpegQualityTarget'),
  ascending('imageOptimizationJpegQualityTarget', 'imageOptimizationJpegQualityMax'),
  ascending('imageOptimizationPngQualityMin', 'imageOptimizationPngQualityMax'),
  disjoint('headersResponseRemove', 'headersResponseSet'),
  disjoint('headersResponseSet', 'headersResponseAdd'),
];

/** What the settings of a zone break together; paths start at the settings. */
export const settingsViolations = (settings: ZoneSettings): readonly Violation[] =>
  pairRules.flatMap(({ violations }) => violations(settings, 'second'));

/** The settings in force where a rule matches: every key that it overrides is replaced as a whole. */
export const overlay = (settings: ZoneSettings, overrides: SettingsOverrides): ZoneSettings =>
  // Not a spread: its type would fear undefined members, which parsed overrides never have.
  Object.assign({}, settings, overrides);

/**
 * What a rule's overrides break together, or with settings of the zone that they leave alone; paths start at the
 * overrides and name a key that is in them. What the zone breaks by itself is not repeated.
 */
export function overrideViolations(settings: ZoneSettings, overrides: SettingsOverrides): readonly Violation[] {
  const inForce = overlay(settings, overrides);
  return pairRules.flatMap(({ first, second, violations }) => {
    if (overrides[second] !== undefined) return violations(inForce, 'second');
    return overrides[first] !== undefined ? violations(inForce, 'first') : [];
  });
}

/**
 * What settings of the zone break where they meet the overrides of a rule; paths start at the settings and name a key
 * that the rule leaves alone, for it is the settings that are to change.
 */
export function settingsViolationsUnder(settings: ZoneSettings, overrides: SettingsOverrides): readonly Violation[] {
  const inForce = overlay(settings, overrides);
  return pairRules.flatMap(({ first, second, violations }) => {
    const isFirst = overrides[first] !== undefined;
    const isSecond = overrides[second] !== undefined;
    return isFirst === isSecond ? [] : violations(inForce, isFirst ? 'second' : 'first');
  });
}

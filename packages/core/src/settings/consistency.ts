import { settingPairs } from '@zonewright/engine';
import { type Violation, violation } from '../shared/violation.ts';
import type { OverridableKey, SettingsOverrides, ZoneSettings } from './settings.ts';

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

const pairRules: readonly PairRule[] = settingPairs.map((pair) =>
  pair.kind === 'ascending' ? ascending(pair.keys[0], pair.keys[1]) : disjoint(pair.keys[0], pair.keys[1]),
);

/** What the settings of a zone break together; paths start at the settings. */
export const inconsistencies = (settings: ZoneSettings): readonly Violation[] =>
  pairRules.flatMap(({ violations }) => violations(settings, 'second'));

/** The settings in force where a rule matches: every key that it overrides is replaced as a whole. */
export const overlay = (settings: ZoneSettings, overrides: SettingsOverrides): ZoneSettings =>
  // Not a spread: its type would fear undefined members, which parsed overrides never have.
  Object.assign({}, settings, overrides);

/**
 * What the settings of a zone and the overrides of a rule break together, reported at the side that is about to change;
 * paths start there and name a key that is in it. What the other side breaks by itself is not repeated.
 */
export function inconsistenciesWith(
  settings: ZoneSettings,
  overrides: SettingsOverrides,
  changing: 'settings' | 'overrides',
): readonly Violation[] {
  const inForce = overlay(settings, overrides);
  const isChanging = (key: OverridableKey): boolean => (overrides[key] !== undefined) === (changing === 'overrides');
  return pairRules.flatMap(({ first, second, violations }) => {
    const [isFirst, isSecond] = [isChanging(first), isChanging(second)];
    // What two settings break that the rule leaves alone, they break without the rule.
    if (isFirst && isSecond) return changing === 'overrides' ? violations(inForce, 'second') : [];
    if (isSecond) return violations(inForce, 'second');
    return isFirst ? violations(inForce, 'first') : [];
  });
}

import { settingPairs } from '@zonewright/engine';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import type { OverridableKey, SettingsOverrides, ZoneSettings } from './settings.ts';

/** A constraint between two settings. */
interface PairRule {
  readonly first: OverridableKey;
  readonly second: OverridableKey;
  /** The violations, reported at the setting to blame. */
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

/** Violations of a zone's settings in combination; paths start at the settings. */
export const inconsistencies = (settings: ZoneSettings): readonly Violation[] =>
  pairRules.flatMap(({ violations }) => violations(settings, 'second'));

/** The effective settings where a rule matches: each overridden key is replaced as a whole. */
export const overlay = (settings: ZoneSettings, overrides: SettingsOverrides): ZoneSettings =>
  // Not a spread: its type would allow undefined members, which parsed overrides never have.
  Object.assign({}, settings, overrides);

/**
 * Violations of a zone's settings combined with a rule's overrides, reported on the side that is changing; paths start
 * there. Violations that the other side causes by itself are not repeated.
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
    // If the rule overrides neither setting, the zone's own settings are to blame.
    if (isFirst && isSecond) return changing === 'overrides' ? violations(inForce, 'second') : [];
    if (isSecond) return violations(inForce, 'second');
    return isFirst ? violations(inForce, 'first') : [];
  });
}

import { type Tri, triOf } from '../conditions/tri.ts';
import { utf8Length } from '../request/bytes.ts';
import { type SettingKey, type Settings, type SettingValue, settingKeys } from './setting-table.ts';

/** A value and its writer: `zone`, or the name of a rule. */
export interface WrittenValue {
  readonly value: unknown;
  readonly from: string;
}

/** One setting in an evaluation. */
export type SettingAnswer =
  | (WrittenValue & { readonly overwritten: readonly string[] })
  | { readonly alternatives: readonly WrittenValue[]; readonly overwritten: readonly string[] };

/** All settings in an evaluation, sorted by key. */
export type SettingsAnswer = Readonly<Record<string, SettingAnswer>>;

/** The settings of a zone before any rule, with their part of evaluations, which is the same for every request. */
export interface ZoneLayer {
  readonly settings: Settings;
  readonly answer: SettingsAnswer;
}

/** Prepares the settings of a zone. */
export const zoneLayer = (settings: Settings): ZoneLayer => ({
  settings,
  answer: Object.fromEntries(
    settingKeys.map((key) => [key, { value: shown(key, settings[key]), from: 'zone', overwritten: [] }]),
  ),
});

/** The possible values of a key in the order written, and the earlier writers. */
interface Layers {
  readonly possible: readonly WrittenValue[];
  readonly overwritten: readonly string[];
}

/** The effective settings: those of the zone, overridden key by key. Requests that match the same rules share them. */
export class EffectiveSettings {
  readonly #zone: ZoneLayer;
  readonly #written = new Map<SettingKey, Layers>();
  #answer: SettingsAnswer | undefined;

  constructor(zone: ZoneLayer) {
    this.#zone = zone;
  }

  /** Overrides a key; if it is unknown whether the rule applies, either value is possible. */
  write(key: SettingKey, value: unknown, from: string, applied: 'true' | 'unknown'): void {
    const { possible, overwritten } = this.#layers(key);
    if (applied === 'true') {
      const earlier = possible.map((each) => each.from);
      this.#written.set(key, { possible: [{ value, from }], overwritten: [...overwritten, ...earlier] });
    } else if (!possible.some((each) => isSameJson(each.value, value))) {
      this.#written.set(key, { possible: [...possible, { value, from }], overwritten });
    }
  }

  /** The value of the key; undefined if several are possible. */
  one<K extends SettingKey>(key: K): SettingValue<K> | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return this.#zone.settings[key];
    const { possible } = written;
    // Values are stored under their own key.
    return possible.length === 1 ? (possible[0]?.value as SettingValue<K>) : undefined;
  }

  /** Whether the test holds for the value of the key; unknown if its possible values disagree. */
  holds<K extends SettingKey>(key: K, test: (value: SettingValue<K>) => boolean): Tri {
    const written = this.#written.get(key);
    if (written === undefined) return triOf(test(this.#zone.settings[key]));
    // As above.
    const holding = written.possible.filter(({ value }) => test(value as SettingValue<K>)).length;
    return holding === 0 || holding === written.possible.length ? triOf(holding > 0) : 'unknown';
  }

  /** Whether a switch is on. */
  isOn(key: FlagKey): Tri {
    return this.holds(key, (value) => value);
  }

  /** All keys as shown in an evaluation, once everything is written. */
  answer(): SettingsAnswer {
    this.#answer ??= this.#made();
    return this.#answer;
  }

  #made(): SettingsAnswer {
    if (this.#written.size === 0) return this.#zone.answer;
    const answer: Record<string, SettingAnswer> = { ...this.#zone.answer };
    for (const [key, { possible, overwritten }] of this.#written) {
      const values = possible.map(({ value, from }) => ({ value: shown(key, value), from }));
      const [first] = values;
      answer[key] =
        first !== undefined && values.length === 1 ? { ...first, overwritten } : { alternatives: values, overwritten };
    }
    return answer;
  }

  #layers(key: SettingKey): Layers {
    return this.#written.get(key) ?? { possible: [{ value: this.#zone.settings[key], from: 'zone' }], overwritten: [] };
  }
}

/** The boolean keys. */
type FlagKey = { [K in SettingKey]: SettingValue<K> extends boolean ? K : never }[SettingKey];

/** Whether the values of a setting are pages. */
export const isPage = (key: SettingKey): boolean => page.test(key);

const page = /^customPages.*Html$/;

/** Pages are shown by their size in bytes. */
const shown = (key: SettingKey, value: unknown): unknown =>
  isPage(key) && typeof value === 'string' ? { bytes: utf8Length(value) } : value;

/** Whether two JSON values are equal, ignoring the order of members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(
      // Any object can be indexed by name.
      ([name, value]) => Object.hasOwn(other, name) && isSameJson(value, (other as Record<string, unknown>)[name]),
    )
  );
}

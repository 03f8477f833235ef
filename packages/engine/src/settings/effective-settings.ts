import { type Tri, triOf } from '../conditions/tri.ts';
import { utf8Length } from '../request/bytes.ts';
import { type SettingKey, type Settings, type SettingValue, settingKeys } from './setting-table.ts';

/** A value and who wrote it: `zone`, or the name of a rule. */
export interface WrittenValue {
  readonly value: unknown;
  readonly from: string;
}

/** What an answer says of one setting. */
export type SettingAnswer =
  | (WrittenValue & { readonly overwritten: readonly string[] })
  | { readonly alternatives: readonly WrittenValue[]; readonly overwritten: readonly string[] };

/** What an answer says of all settings, by key in sorted order. */
export type SettingsAnswer = Readonly<Record<string, SettingAnswer>>;

/** The settings of a zone before any rule, with what an answer says of them, which is the same for every request. */
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

/** The values that a key may have, in order of writing, and the earlier writers. */
interface Layers {
  readonly possible: readonly WrittenValue[];
  readonly overwritten: readonly string[];
}

/** The settings after some rules: those of the zone, replaced key by key. They are the same for all requests that these rules fit. */
export class EffectiveSettings {
  readonly #zone: ZoneLayer;
  readonly #written = new Map<SettingKey, Layers>();
  #answer: SettingsAnswer | undefined;

  constructor(zone: ZoneLayer) {
    this.#zone = zone;
  }

  /** Replaces the value of a key; where it is unknown whether the rule applies, the key may have either value. */
  write(key: SettingKey, value: unknown, from: string, applied: 'true' | 'unknown'): void {
    const { possible, overwritten } = this.#layers(key);
    if (applied === 'true') {
      const earlier = possible.map((each) => each.from);
      this.#written.set(key, { possible: [{ value, from }], overwritten: [...overwritten, ...earlier] });
    } else if (!possible.some((each) => isSameJson(each.value, value))) {
      this.#written.set(key, { possible: [...possible, { value, from }], overwritten });
    }
  }

  /** Every value that the key may have. */
  possible<K extends SettingKey>(key: K): readonly SettingValue<K>[] {
    const written = this.#written.get(key);
    if (written === undefined) return [this.#zone.settings[key]];
    // Values are kept under the key they were written for.
    return written.possible.map(({ value }) => value as SettingValue<K>);
  }

  /** The value of the key; undefined when several are possible. */
  one<K extends SettingKey>(key: K): SettingValue<K> | undefined {
    const written = this.#written.get(key);
    if (written === undefined) return this.#zone.settings[key];
    const { possible } = written;
    // As above.
    return possible.length === 1 ? (possible[0]?.value as SettingValue<K>) : undefined;
  }

  /** Whether the test holds for the value of the key: for all possible ones, or for none. */
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

  /** What an answer says of all keys, when everything is written. */
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

/** The keys that are switches. */
type FlagKey = { [K in SettingKey]: SettingValue<K> extends boolean ? K : never }[SettingKey];

/** Whether the values of a setting are pages. */
export const isPage = (key: SettingKey): boolean => page.test(key);

const page = /^customPages.*Html$/;

/** Pages are shown by their size in bytes. */
const shown = (key: SettingKey, value: unknown): unknown =>
  isPage(key) && typeof value === 'string' ? { bytes: utf8Length(value) } : value;

/** Whether two JSON values are the same apart from the order of members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(
      // Any object can be read by name.
      ([name, value]) => Object.hasOwn(other, name) && isSameJson(value, (other as Record<string, unknown>)[name]),
    )
  );
}

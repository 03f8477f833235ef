/** The behaviour of a settings key for some values. */
export interface SettingCases {
  /** Value in a zone created without settings; undefined: absent. */
  readonly default: unknown;
  /** Values that read back as written. */
  readonly accepted: readonly unknown[];
  /** Values that read back with defaults for omitted members. */
  readonly completed?: readonly (readonly [written: unknown, read: unknown])[];
  /** Values with all their violations, as `path code`; paths are relative to the key. */
  readonly refused: readonly (readonly [value: unknown, ...violations: string[]])[];
  /** Null means "no value". */
  readonly nullable?: true;
}

/** This many distinct names. */
export const numbered = (count: number, prefix = 'x-'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A text of this length. */
export const longest = (length: number): string => 'a'.repeat(length);

/** A boolean key. */
export const flag = (value: boolean): SettingCases => ({
  default: value,
  accepted: [true, false],
  refused: [
    ['true', ' member.type'],
    [1, ' member.type'],
    [[], ' member.type'],
  ],
});

const wrongIntegers = [
  [0.5, ' member.type'],
  ['7', ' member.type'],
  [true, ' member.type'],
  [[1], ' member.type'],
] as const;

/** An integer key with limits. */
export const integer = (minimum: number, maximum: number, value: number): SettingCases => ({
  default: value,
  accepted: [minimum, minimum + 1, maximum],
  refused: [
    [minimum - 1, ' settings.range'],
    [maximum + 1, ' settings.range'],
    [1e300, ' settings.range'],
    ...wrongIntegers,
  ],
});

/** The same without a default. */
export const optionalInteger = (minimum: number, maximum: number): SettingCases => ({
  ...integer(minimum, maximum, minimum),
  default: undefined,
  nullable: true,
});

/** Values that are not lists of strings. */
export const notList = [
  ['a', ' member.type'],
  [{}, ' member.type'],
  [[1], '[0] member.type'],
  [[null], '[0] member.type'],
] as const;

/** A value, shortened for test titles. */
export const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'undefined';
  return json.length > 70 ? `${json.slice(0, 60)}… (${json.length} characters)` : json;
};

/** What one settings key does with some values. */
export interface SettingCases {
  /** Value in a zone that was created without settings; undefined: absent. */
  readonly default: unknown;
  /** Values that read back as written. */
  readonly accepted: readonly unknown[];
  /** Values that read back differently, since the object left members out. */
  readonly completed?: readonly (readonly [written: unknown, read: unknown])[];
  /** Values with every violation they cause, as `path code`; the path starts behind the key. */
  readonly refused: readonly (readonly [value: unknown, ...violations: string[]])[];
  /** Null means "no value". */
  readonly nullable?: true;
}

/** That many different names. */
export const numbered = (count: number, prefix = 'x-'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A text of that length. */
export const longest = (length: number): string => 'a'.repeat(length);

/** A key that is true or false. */
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

/** A key that is an integer within limits. */
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

/** The same, without a value unless one is written. */
export const optionalInteger = (minimum: number, maximum: number): SettingCases => ({
  ...integer(minimum, maximum, minimum),
  default: undefined,
  nullable: true,
});

/** What no list of texts is. */
export const notList = [
  ['a', ' member.type'],
  [{}, ' member.type'],
  [[1], '[0] member.type'],
  [[null], '[0] member.type'],
] as const;

/** A value as short as a test title needs it. */
export const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'undefined';
  return json.length > 70 ? `${json.slice(0, 60)}… (${json.length} characters)` : json;
};

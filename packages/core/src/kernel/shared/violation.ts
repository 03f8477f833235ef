import { err, ok, type Result } from 'neverthrow';

/**
 * A violated constraint of an input.
 *
 * `propertyPath` points into the body (`conditions.conditions[2].value`; empty for the whole body), `message` is for people, `code` is stable and for programs (`settings.range`, `rule.name.duplicate`).
 */
export interface Violation {
  readonly propertyPath: string;
  readonly message: string;
  readonly code: string;
}

export const violation = (propertyPath: string, code: string, message: string): Violation => ({
  propertyPath,
  message,
  code,
});

/** Maximum number of violations per error: more would not help, and could make the response larger than the request. */
export const maxViolations = 100;

/** The input violates at least one constraint; all detected violations are listed, up to the maximum. */
export const invalidInput = (violations: readonly Violation[]) =>
  // The copy is writable, the error is not.
  ({ type: 'InvalidInput', violations: violations.slice(0, maxViolations) as readonly Violation[] }) as const;
export type InvalidInput = ReturnType<typeof invalidInput>;

/** The input violates one constraint. */
export const invalidAt = (...broken: Parameters<typeof violation>): InvalidInput =>
  invalidInput([violation(...broken)]);

/** An error with the violations, if there are any. */
export const requireNone = (violations: readonly Violation[]): Result<void, InvalidInput> =>
  violations.length > 0 ? err(invalidInput(violations)) : ok();

/** Prefixes violation paths with `place`. */
export const violationsUnder = (place: string, violations: readonly Violation[]): readonly Violation[] =>
  violations.map((each) => ({ ...each, propertyPath: pathIn(place, each.propertyPath) }));

/** The same for an error. */
export const under =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

/** Combines several errors into one. */
export const joined = (errors: readonly InvalidInput[]): InvalidInput =>
  invalidInput(errors.flatMap(({ violations }) => violations));

const pathIn = (place: string, path: string): string =>
  place === '' || path === '' || path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;

/** Joins path segments in the usual notation: members with dots, indexes in brackets. */
export const propertyPath = (segments: readonly PropertyKey[]): string =>
  segments
    .map((segment, index) => {
      if (typeof segment === 'number') return `[${segment}]`;
      return index === 0 ? String(segment) : `.${String(segment)}`;
    })
    .join('');

import { err, ok, type Result } from 'neverthrow';

/**
 * One broken constraint of an input.
 *
 * `propertyPath` points into the body (`conditions.conditions[2].value`; empty for the body as a whole),
 * `message` is for people, `code` is stable and for programs (`settings.range`, `rule.name.duplicate`).
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

/** Max violations of one refusal: more would help nobody and make an answer larger than its request. */
export const maxViolations = 100;

/** The input breaks at least one constraint; all of them that could be found are listed, up to a hundred. */
export const invalidInput = (violations: readonly Violation[]) =>
  // A copy is writable; the error is not.
  ({ type: 'InvalidInput', violations: violations.slice(0, maxViolations) as readonly Violation[] }) as const;
export type InvalidInput = ReturnType<typeof invalidInput>;

/** The violations as an error, if there are any. */
export const requireNone = (violations: readonly Violation[]): Result<void, InvalidInput> =>
  violations.length > 0 ? err(invalidInput(violations)) : ok();

/** The violations of a part as violations of the whole: `place` is the path of the part in it. */
export const violationsUnder = (place: string, violations: readonly Violation[]): readonly Violation[] =>
  violations.map((each) => ({ ...each, propertyPath: pathIn(place, each.propertyPath) }));

/** The same for an input that was refused. */
export const under =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

/** Several refusals as one. */
export const joined = (errors: readonly InvalidInput[]): InvalidInput =>
  invalidInput(errors.flatMap(({ violations }) => violations));

const pathIn = (place: string, path: string): string =>
  place === '' || path === '' || path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;

/** Joins path segments the way clients read them: members with dots, list positions in brackets. */
export const propertyPath = (segments: readonly PropertyKey[]): string =>
  segments
    .map((segment, index) => {
      if (typeof segment === 'number') return `[${segment}]`;
      return index === 0 ? String(segment) : `.${String(segment)}`;
    })
    .join('');

import type { Result } from 'neverthrow';
import { type InvalidInput, requireNone, violation } from '../shared/violation.ts';
import { type UsageLimitName, usageLimits } from '../usage-limits/usage-limits.ts';

/** New values of limits; undefined restores the operator's. */
type Changes<Name extends UsageLimitName> = Readonly<Partial<Record<Name, number | undefined>>>;

/** Refuses values that are not whole numbers up to the ceiling. */
export const requireLimits = <Name extends UsageLimitName>(
  names: readonly Name[],
  changes: Changes<Name>,
): Result<void, InvalidInput> =>
  requireNone(
    names.flatMap((name) => {
      const { ceiling } = usageLimits[name];
      const { [name]: wanted } = changes;
      const isValid = wanted === undefined || (Number.isInteger(wanted) && wanted >= 0 && wanted <= ceiling);
      return isValid
        ? []
        : [violation(name, 'number.range', `This value should be a whole number from 0 to ${ceiling}.`)];
    }),
  );

/** The limits after the changes, and what changed, as the audit log has it. */
export function limitsAfter<Name extends UsageLimitName>(
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, number>>>,
  changes: Changes<Name>,
): { readonly own: Readonly<Partial<Record<Name, number>>>; readonly changed: Readonly<Record<string, string>> } {
  const all: Changes<Name> = { ...before, ...changes };
  const changed = names.filter((name) => all[name] !== before[name]);
  return {
    // `Object.fromEntries` loses the type of the keys.
    own: Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]))) as Readonly<
      Partial<Record<Name, number>>
    >,
    changed: Object.fromEntries(changed.map((name) => [name, String(all[name] ?? 'default')])),
  };
}

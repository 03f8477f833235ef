import { type UsageLimitName, type UsageLimits, usageLimitNames, usageLimits, usageLimitsWith } from '@zonewright/core';
import { count } from './config-values.ts';

const words = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** The variable that sets a limit, such as `LIMIT_REWRITE_RULES_PER_ZONE`. */
export const usageLimitVariable = (name: UsageLimitName): string =>
  `LIMIT_${words(name)}_PER_${words(usageLimits[name].per)}`;

/** The schema of each variable. */
export const usageLimitSchemas = Object.fromEntries(
  usageLimitNames.map((name) => [usageLimitVariable(name), count(usageLimits[name].ceiling).optional()]),
);

/** The limits, with defaults for unset variables. */
export function usageLimitsIn(given: object): UsageLimits {
  // The names are computed, so the compiler does not know them as members.
  const set = given as Record<string, number | undefined>;
  return usageLimitsWith(Object.fromEntries(usageLimitNames.map((name) => [name, set[usageLimitVariable(name)]])));
}

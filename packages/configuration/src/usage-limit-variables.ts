import { type UsageLimitName, type UsageLimits, usageLimitNames, usageLimits, usageLimitsWith } from '@zonewright/core';
import { count } from './config-values.ts';

const words = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** The variable that sets a limit: `LIMIT_REWRITE_RULES_PER_ZONE`. */
export const usageLimitVariable = (name: UsageLimitName): string =>
  `LIMIT_${words(name)}_PER_${words(usageLimits[name].per)}`;

/** What each variable may be. */
export const usageLimitSchemas = Object.fromEntries(
  usageLimitNames.map((name) => [usageLimitVariable(name), count(usageLimits[name].ceiling).optional()]),
);

/** The limits that the variables set; the usual ones where they say nothing. */
export function usageLimitsIn(given: object): UsageLimits {
  // The names are computed, so the compiler cannot tell that they are variables of limits.
  const set = given as Record<string, number | undefined>;
  return usageLimitsWith(Object.fromEntries(usageLimitNames.map((name) => [name, set[usageLimitVariable(name)]])));
}

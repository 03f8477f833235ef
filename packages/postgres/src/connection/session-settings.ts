import { timeLimits } from './time-limits.ts';

/**
 * What every session needs. One plan per prepared statement, whatever the values: by default the server may plan
 * statements with list parameters for every execution, which takes twice as long as a zone change itself.
 */
export const sessionSettings = { ...timeLimits, plan_cache_mode: 'force_generic_plan' } as const;

/**
 * One plan per prepared statement, whatever the values. By default the server may plan statements with list parameters
 * for every execution, which takes twice as long as a zone change itself.
 */
export const planSettings = { plan_cache_mode: 'force_generic_plan' } as const;

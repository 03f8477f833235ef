/**
 * The server makes one plan of each prepared statement, whatever its values. Left to itself it may make another one for every
 * execution of a statement that has lists among its parameters: for a change of a zone that takes twice as long as the change.
 */
export const planning = { plan_cache_mode: 'force_generic_plan' } as const;

import type { RuleId, ZoneId } from '../shared/ids.ts';

/** The zone has no user of this id. */
export const basicAuthUserNotFound = () => ({ type: 'BasicAuthUserNotFound' }) as const;
export type BasicAuthUserNotFound = ReturnType<typeof basicAuthUserNotFound>;

/** Rules, or the zone's own settings, need the user: naming it, or leaving no other who could pass. */
export const basicAuthUserInUse = (
  zone: ZoneId,
  usedBy: { readonly settings: boolean; readonly rules: readonly RuleId[] },
) => ({ type: 'BasicAuthUserInUse', zone, usedBy }) as const;
export type BasicAuthUserInUse = ReturnType<typeof basicAuthUserInUse>;

import type { RuleId, ZoneId } from '../../kernel/shared/ids.ts';

/** The zone has no user with this id. */
export const basicAuthUserNotFound = () => ({ type: 'BasicAuthUserNotFound' }) as const;
export type BasicAuthUserNotFound = ReturnType<typeof basicAuthUserNotFound>;

/** Rules or the zone's settings depend on the user: they name it, or nobody else could sign in. */
export const basicAuthUserInUse = (
  zone: ZoneId,
  usedBy: { readonly settings: boolean; readonly rules: readonly RuleId[] },
) => ({ type: 'BasicAuthUserInUse', zone, usedBy }) as const;
export type BasicAuthUserInUse = ReturnType<typeof basicAuthUserInUse>;

import { memoized } from '../shared/memoized.ts';
import {
  type OrganizationLimits,
  organizationLimitNames,
  type UsageLimits,
  usageLimits,
  usageLimitsWith,
} from './usage-limits.ts';

/**
 * The limits in force in an organization: its own up to their ceilings, then the operator's. Returns the same object
 * for the same arguments, so that values derived from it can be memoized.
 */
export const limitsInForce = (operators: UsageLimits): ((own: OrganizationLimits | undefined) => UsageLimits) => {
  const merged = memoized((own: OrganizationLimits) =>
    usageLimitsWith({
      ...operators,
      ...Object.fromEntries(
        organizationLimitNames.flatMap((name) => {
          const { [name]: limit } = own;
          return limit === undefined ? [] : [[name, Math.min(limit, usageLimits[name].ceiling)]];
        }),
      ),
    }),
  );
  return (own) => (own === undefined ? operators : merged(own));
};

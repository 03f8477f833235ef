import { LatestUsed, limitsInForce, type OrganizationLimits, type UsageLimits } from '@zonewright/core';

/** Limits of an installation, and what is in force where an organization has some of its own. */
export interface StoredLimits {
  readonly operators: UsageLimits;
  /** The same text gives the same object; null: none of its own. */
  readonly with: (own: string | null) => UsageLimits;
}

/** Bytes of texts that are remembered: few organizations have limits of their own, and many have the same ones. */
const maxBytes = 2 ** 20;

/** Limits over what the operator says. */
export function storedLimits(operators: UsageLimits): StoredLimits {
  const known = new LatestUsed<UsageLimits>(maxBytes);
  const inForce = limitsInForce(operators);
  return {
    operators,
    with: (own) => {
      if (own === null) return operators;
      const found = known.get(own);
      if (found !== undefined) return found;
      const made = inForce(ownLimitsOf(own));
      known.set(own, made, 2 * own.length + 1000);
      return made;
    },
  };
}

/** What an organization has of its own. */
export const ownLimitsOf = (text: string): OrganizationLimits =>
  // Nothing else is ever stored.
  JSON.parse(text) as OrganizationLimits;

import {
  limitsInForce,
  type OrganizationLimits,
  type UsageLimits,
  type UserLimitName,
  type UserLimits,
  userLimitInForce,
} from '@zonewright/core';
import { LruCache } from '@zonewright/gate';

/** The limits of an installation, combined with those of an organization. */
export interface StoredLimits {
  readonly operators: UsageLimits;
  /** Equal texts return the same object; null means no limits of its own. */
  readonly with: (own: string | null) => UsageLimits;
  /** The limit in force for a user with limits of their own; null means none. */
  readonly ofUser: (name: UserLimitName, own: string | null) => number;
}

/** Bounds the cache in bytes: few organizations have their own limits, and many share the same ones. */
const maxBytes = 2 ** 20;

/** Combines organizations' limits with the operator's. */
export function storedLimits(operators: UsageLimits): StoredLimits {
  const cache = new LruCache<UsageLimits>(maxBytes);
  const inForce = limitsInForce(operators);
  return {
    operators,
    ofUser: (name, own) => userLimitInForce(name, own === null ? {} : userLimitsOf(own), operators),
    with: (own) => {
      if (own === null) return operators;
      const existing = cache.get(own);
      if (existing !== undefined) return existing;
      const made = inForce(ownLimitsOf(own));
      cache.set(own, made, 2 * own.length + 1000);
      return made;
    },
  };
}

/** A user's own limits. */
export const userLimitsOf = (text: string): UserLimits =>
  // Only such limits are stored.
  JSON.parse(text) as UserLimits;

/** An organization's own limits. */
export const ownLimitsOf = (text: string): OrganizationLimits =>
  // Only such limits are stored.
  JSON.parse(text) as OrganizationLimits;

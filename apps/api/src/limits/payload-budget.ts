import type { UserId } from '@zonewright/core';
import { type Place, portionOfMemory } from '../processes/place.ts';

/** Payloads of up to so many bytes are not counted: there are too many of them, and they are soon gone. */
export const countedPayload = 256 * 1024;

export interface PayloadLimits {
  /** Bytes of all users together. */
  readonly total: number;
  /** Bytes of one user, so that nobody can occupy all of it. */
  readonly perUser: number;
}

/** The budget of a machine. */
const payloadLimits: PayloadLimits = { total: 128 * 2 ** 20, perUser: 32 * 2 ** 20 };

/** The budget of a process. One user may occupy all of what is no more than the budget of a user. */
export const payloadLimitsAt = (place: Place): PayloadLimits => ({
  ...payloadLimits,
  total: portionOfMemory(payloadLimits.total, place),
});

/** Gives back what was reserved; later calls do nothing. */
export type Release = () => void;

/**
 * Bytes of large request bodies, and of large answers that clients have not read yet. It protects the memory of this
 * process and decides nothing else.
 */
export interface PayloadBudget {
  /** Whether the user has room left for one more payload: asked before any work. */
  hasRoomFor(user: UserId): boolean;
  /** Reserves bytes; undefined when they do not fit. One payload fits, however large, where nothing else is reserved. */
  reserve(user: UserId, bytes: number): Release | undefined;
  /** Counts bytes that are there in any case, beyond the limits if need be: until then nothing else fits. */
  occupy(user: UserId, bytes: number): Release;
}

export function payloadBudget({ total, perUser }: PayloadLimits = payloadLimits): PayloadBudget {
  const reserved = new Map<UserId, number>();
  let all = 0;
  const add = (user: UserId, bytes: number): void => {
    const sum = (reserved.get(user) ?? 0) + bytes;
    if (sum === 0) reserved.delete(user);
    else reserved.set(user, sum);
    all += bytes;
  };
  const fits = (used: number, bytes: number, limit: number) => used === 0 || used + bytes <= limit;
  const occupy = (user: UserId, bytes: number): Release => {
    add(user, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) add(user, -bytes);
      isHeld = false;
    };
  };
  return {
    hasRoomFor: (user) => fits(reserved.get(user) ?? 0, countedPayload, perUser),
    reserve: (user, bytes) =>
      fits(reserved.get(user) ?? 0, bytes, perUser) && fits(all, bytes, total) ? occupy(user, bytes) : undefined,
    occupy,
  };
}

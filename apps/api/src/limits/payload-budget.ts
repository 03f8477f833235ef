import type { UserId } from '@zonewright/core';
import { memoryShare, type ProcessSlot } from '../processes/process-slot.ts';

/** Payloads up to this size are not counted: they are many and short-lived. */
export const countedPayload = 256 * 1024;

export interface PayloadLimits {
  /** Bytes of all users together. */
  readonly total: number;
  /** Bytes of one user, so that nobody can occupy everything. */
  readonly perUser: number;
}

/** The budget of a machine. */
const payloadLimits: PayloadLimits = { total: 128 * 2 ** 20, perUser: 32 * 2 ** 20 };

/** The budget of a process. One user may use all of it if it is smaller than a user's budget. */
export const payloadLimitsAt = (slot: ProcessSlot): PayloadLimits => ({
  ...payloadLimits,
  total: memoryShare(payloadLimits.total, slot),
});

/** Releases a reservation; later calls have no effect. */
export type Release = () => void;

/** Bytes of large request bodies and unread large responses. Protects this process's memory only. */
export interface PayloadBudget {
  /** Whether the user has room for another payload; checked before any work. */
  hasRoomFor(user: UserId): boolean;
  /** Reserves bytes; undefined if they do not fit. A payload of any size fits if nothing else is reserved. */
  reserve(user: UserId, bytes: number): Release | undefined;
  /** Counts bytes already in memory, even beyond the limits: nothing else fits until they are released. */
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

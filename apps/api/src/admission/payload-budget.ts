import type { UserId } from '@zonewright/core';
import { memoryShare, type ProcessSlot } from '../process-slot.ts';

/** Bodies and responses up to this size are not counted: they are many and short-lived. Larger bodies are in these steps. */
export const countedPayload = 64 * 1024;

/** The bytes that all users of a process may occupy. */
export interface PayloadLimits {
  readonly total: number;
  /** Bytes of one user, so that nobody can occupy everything. */
  readonly perUser: number;
}

/** The budget of a machine, in bytes. */
const machineBytes = 128 * 2 ** 20;
/** Users who together can occupy everything. */
const shares = 8;

/** The budget of a process: its part of the machine's. One user has an eighth of it, however small it is. */
export function payloadLimitsAt(slot: ProcessSlot): PayloadLimits {
  const total = memoryShare(machineBytes, slot);
  return { total, perUser: Math.floor(total / shares) };
}

/** Releases a reservation; later calls have no effect. */
export type Release = () => void;

/** Somebody who reserves several times, and the sum. */
export interface Holder {
  held: number;
}

/**
 * Bytes of request bodies, of stored texts that are being read and turned into responses, and of unread responses.
 * Protects this process's memory only.
 */
export interface PayloadBudget {
  /** Whether the user has room for another payload; checked before any work. */
  hasRoomFor(user: UserId): boolean;
  /** Reserves bytes; undefined if they do not fit. Any number fits if nothing else is reserved. */
  reserve(user: UserId, bytes: number): Release | undefined;
  /**
   * Waits until the bytes fit, behind earlier ones of the same user; undefined if they do not in time. A request that
   * holds bytes already waits for no request behind it, and any number fits if nobody else has reserved anything.
   */
  whenFitting(user: UserId, bytes: number, request?: Holder): Promise<Release | undefined>;
  /** Counts bytes already in memory, even beyond the limits: nothing else fits until they are released. */
  occupy(user: UserId, bytes: number): Release;
}

interface Waiting {
  readonly user: UserId;
  readonly bytes: number;
  readonly request: Holder;
  readonly end: (release: Release | undefined) => void;
}

/** Opens a budget. `waitMilliseconds`: how long bytes wait until they fit. */
export function payloadBudget(
  { total, perUser }: PayloadLimits = payloadLimitsAt({ index: 0, of: 1 }),
  waitMilliseconds = 2000,
): PayloadBudget {
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
      if (!isHeld) return;
      isHeld = false;
      add(user, -bytes);
      // Later, so that a request that releases what it has read can reserve its response in its place.
      setImmediate(admitWaiting);
    };
  };
  const reserve = (user: UserId, bytes: number, request: Holder = { held: 0 }): Release | undefined => {
    const sum = request.held + bytes;
    const others = (reserved.get(user) ?? 0) - request.held;
    if (!fits(others, sum, perUser) || !fits(all - request.held, sum, total)) return undefined;
    request.held = sum;
    return occupy(user, bytes);
  };
  const { whenFitting, admitWaiting } = waitingLine(reserve, waitMilliseconds);
  return {
    hasRoomFor: (user) => fits(reserved.get(user) ?? 0, countedPayload, perUser),
    reserve: (user, bytes) => reserve(user, bytes),
    whenFitting,
    occupy,
  };
}

/** Those who wait until their bytes fit; each user's in their order, and what holds bytes already before what does not. */
function waitingLine(
  reserve: (user: UserId, bytes: number, request: Holder) => Release | undefined,
  waitMilliseconds: number,
) {
  const waiting = new Set<Waiting>();
  const admitWaiting = (): void => {
    const blocked = new Set<UserId>();
    for (const { user, bytes, request, end } of waiting) {
      const release = request.held === 0 && blocked.has(user) ? undefined : reserve(user, bytes, request);
      if (release === undefined) blocked.add(user);
      else end(release);
    }
  };
  const wait = (user: UserId, bytes: number, request: Holder): Promise<Release | undefined> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => end(undefined), waitMilliseconds).unref();
      const end = (release: Release | undefined) => {
        clearTimeout(timer);
        waiting.delete(place);
        resolve(release);
      };
      const place = { user, bytes, request, end };
      waiting.add(place);
    });
  const whenFitting = async (
    user: UserId,
    bytes: number,
    request: Holder = { held: 0 },
  ): Promise<Release | undefined> => {
    const isBehind = request.held === 0 && [...waiting].some((each) => each.user === user);
    return (isBehind ? undefined : reserve(user, bytes, request)) ?? wait(user, bytes, request);
  };
  return { whenFitting, admitWaiting };
}

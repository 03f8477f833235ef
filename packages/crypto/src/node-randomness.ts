import { randomBytes, randomInt } from 'node:crypto';
import type { Randomness } from '@zonewright/core';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base32Digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const tokenBytes = 32;
const maxCount = 0xfff;

/** Randomness from the operating system. `now` (milliseconds since 1970) is only used for UUIDs. */
export const nodeRandomness = ({ now = Date.now }: { readonly now?: () => number } = {}): Randomness => ({
  uuid: uuids(now),
  token: () => randomBytes(tokenBytes).toString('base64url'),
  base62: (length) => Array.from({ length }, () => base62Digits.charAt(randomInt(base62Digits.length))).join(''),
  // 32 divides 256, so the remainder of a random byte is uniform.
  base32: (length) => Array.from(randomBytes(length), (byte) => base32Digits.charAt(byte % 32)).join(''),
});

/**
 * Monotonic version 7 UUIDs within a process: the 12 bits after the version count the ids of a millisecond from a
 * random start; a counter overflow, or a clock set back, borrows from the future (RFC 9562 sections 5.7 and 6.2, method
 * 1).
 */
function uuids(now: () => number): () => string {
  let millisecond = 0;
  let count = maxCount;
  return () => {
    const current = now();
    if (current > millisecond || count === maxCount) {
      millisecond = Math.max(current, millisecond + 1);
      count = randomInt((maxCount + 1) / 2);
    } else {
      count += 1;
    }
    return uuid(millisecond, count);
  };
}

function uuid(millisecond: number, count: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(millisecond, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

import { usageLimits } from '../usage-limits/usage-limits.ts';

/** Maximum size of stored conditions as JSON, in bytes of UTF-8, not counting address lists. */
export const conditionBytes = 16_384;

/** Size of the longest address with prefix length, plus its separator in JSON. */
const bytesPerAddress = 48;

/** The maximum size including address lists: it grows only if lists may be longer than usual. */
export const conditionBytesWith = (addresses: number): number =>
  conditionBytes + bytesPerAddress * Math.max(0, addresses - usageLimits.addresses.default);

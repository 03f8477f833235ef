import { usageLimits } from '../usage-limits/usage-limits.ts';

/** UTF-8 size that conditions may have as JSON text, as they are read back, lists of addresses aside. */
export const conditionBytes = 16_384;

/** What the longest address needs, with its prefix length and what separates it from the next as JSON. */
const bytesPerAddress = 48;

/** The same for conditions as a whole, where a list may have so many addresses: more only where there are more than usual. */
export const conditionBytesWith = (addresses: number): number =>
  conditionBytes + bytesPerAddress * Math.max(0, addresses - usageLimits.addresses.usual);

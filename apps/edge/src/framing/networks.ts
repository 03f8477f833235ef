import { type IpAddress, type IpRange, isInRange, parseIpAddress, parseIpRange } from '@zonewright/engine';

/** Addresses that lie in any of several networks. */
export interface Networks {
  has(address: IpAddress): boolean;
  hasText(address: string): boolean;
}

/** Networks from addresses and CIDR ranges. Throws on anything else: settings are checked when they are read. */
export function networksOf(texts: readonly string[]): Networks {
  const ranges = texts.map(rangeOf);
  const has = (address: IpAddress) => ranges.some((range) => isInRange(address, range));
  return {
    has,
    hasText: (text) => {
      const address = parseIpAddress(text);
      return address.ok && has(address.value);
    },
  };
}

function rangeOf(text: string): IpRange {
  const range = parseIpRange(text);
  if (!range.ok) throw new Error(`${text} is no network.`);
  return range.value;
}

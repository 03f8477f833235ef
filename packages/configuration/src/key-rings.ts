import type { KeyRing as CryptoKeyRing } from '@zonewright/crypto';
import type { KeyRing } from './keys-file.ts';

/** A ring of the keys file in the format of `@zonewright/crypto`. */
export const ringOf = ({ current, keys }: KeyRing): CryptoKeyRing => ({
  current,
  keys: new Map(keys.map(({ kid, key }) => [kid, key])),
});

/** The current key, for values that are never read back and so need no old keys. */
export function currentKey({ current, keys }: KeyRing): Uint8Array {
  const namedKey = keys.find(({ kid }) => kid === current);
  if (namedKey === undefined) throw new Error('The current key is not in its key ring.');
  return namedKey.key;
}

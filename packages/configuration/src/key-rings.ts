import type { KeyRing as CryptoKeyRing } from '@zonewright/crypto';
import type { KeyRing } from './keys-file.ts';

/** A ring of the keys file as the adapters of `@zonewright/crypto` take it. */
export const ringOf = ({ current, keys }: KeyRing): CryptoKeyRing => ({
  current,
  keys: new Map(keys.map(({ kid, key }) => [kid, key])),
});

/** The key that makes new values, for what is never read back, so that old keys are of no use. */
export function currentKey({ current, keys }: KeyRing): Uint8Array {
  const found = keys.find(({ kid }) => kid === current);
  if (found === undefined) throw new Error('The current key is not in its key ring.');
  return found.key;
}

import { createSecretKey, type KeyObject } from 'node:crypto';

const leastKeyBytes = 32;
const kidSyntax = /^[A-Za-z0-9_-]{1,64}$/;

/** Secret keys of one purpose. New values are made with the current key; the others still open what they made. */
export interface KeyRing {
  /** Id of the key in use; one of `keys`. */
  readonly current: string;
  /** Random keys of at least 32 bytes, by key id (1 to 64 of letters, digits, `_` and `-`). */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/** The keys of a ring in the form the cryptographic functions take. */
export interface SecretKeys {
  readonly current: { readonly kid: string; readonly key: KeyObject };
  readonly byKid: ReadonlyMap<string, KeyObject>;
}

/** Prepares each key once. Throws at start-up when the ring names no usable current key or holds a weak one. */
export function secretKeys({ current, keys }: KeyRing): SecretKeys {
  const byKid = new Map([...keys].map(([kid, bytes]) => [kid, secretKey(kid, bytes)]));
  const key = byKid.get(current);
  if (key === undefined) throw new Error(`The key ring has no key "${current}".`);
  return { current: { kid: current, key }, byKid };
}

function secretKey(kid: string, bytes: Uint8Array): KeyObject {
  // A dot would make the text form of sealed values ambiguous.
  if (!kidSyntax.test(kid)) throw new Error('A key id must consist of 1 to 64 letters, digits, "_" or "-".');
  if (bytes.length < leastKeyBytes) throw new Error(`The key "${kid}" is shorter than ${leastKeyBytes} bytes.`);
  return createSecretKey(bytes);
}

import { createSecretKey, type KeyObject } from 'node:crypto';

const minKeyBytes = 32;
const kidSyntax = /^[A-Za-z0-9_-]{1,64}$/;

/** Secret keys for one purpose. New values use the current key; the others can still open older values. */
export interface KeyRing {
  /** Id of the current key; one of `keys`. */
  readonly current: string;
  /** Random keys of at least 32 bytes, by key id (1 to 64 letters, digits, `_` and `-`). */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/** The keys of a ring as objects for Node's crypto functions. */
export interface SecretKeys {
  readonly current: { readonly kid: string; readonly key: KeyObject };
  readonly byKid: ReadonlyMap<string, KeyObject>;
}

/** Prepares the keys once. Throws at start-up if the current key is missing or any key is weak. */
export function secretKeys({ current, keys }: KeyRing): SecretKeys {
  const byKid = new Map([...keys].map(([kid, bytes]) => [kid, secretKey(kid, bytes)]));
  const key = byKid.get(current);
  if (key === undefined) throw new Error(`The key ring has no key "${current}".`);
  return { current: { kid: current, key }, byKid };
}

function secretKey(kid: string, bytes: Uint8Array): KeyObject {
  // A dot would make sealed values ambiguous.
  if (!kidSyntax.test(kid)) throw new Error('A key id must consist of 1 to 64 letters, digits, "_" or "-".');
  if (bytes.length < minKeyBytes) throw new Error(`The key "${kid}" is shorter than ${minKeyBytes} bytes.`);
  return createSecretKey(bytes);
}

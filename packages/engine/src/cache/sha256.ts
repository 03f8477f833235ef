// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** SHA-256 (FIPS 180-4), implemented here because no synchronous one exists on all platforms of this package. */

const blockBytes = 64;
const lengthBytes = 8;

/** The first 32 fractional bits of the roots of the first primes (FIPS 180-4 sections 4.2.2 and 5.3.3). */
const [roundConstants, initialState] = constants();

function constants(): readonly [Int32Array, Int32Array] {
  const primes: number[] = [];
  for (let each = 2; primes.length < 64; each += 1) {
    if (primes.every((prime) => each % prime !== 0)) primes.push(each);
  }
  return [
    Int32Array.from(primes, (prime) => fraction(prime, 3n)),
    Int32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2n)),
  ];
}

/** Exact integer arithmetic: the low 32 bits of the root of `prime · 2^(32·degree)` are the fraction. */
function fraction(prime: number, degree: bigint): number {
  const power = BigInt(prime) << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= power) low = middle;
    else high = middle - 1n;
  }
  return Number(BigInt.asIntN(32, low));
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Reused by every digest. */
const state = new Int32Array(8);
const schedule = new Int32Array(64);

/** The SHA-256 of a byte string, in lower-case hexadecimal. */
export function sha256(bytes: string): string {
  const { length } = bytes;
  const end = Math.ceil((length + 1 + lengthBytes) / blockBytes) * blockBytes;
  state.set(initialState);
  for (let at = 0; at < end; at += blockBytes) {
    readBlock(bytes, at);
    if (at + blockBytes === end) {
      schedule[14] = Math.floor((length * 8) / 2 ** 32);
      schedule[15] = (length * 8) | 0;
    }
    digestBlock();
  }
  let text = '';
  for (const word of state) {
    for (let shift = 24; shift >= 0; shift -= 8) text += hexOfByte[(word >>> shift) & 0xff] ?? '';
  }
  return text;
}

/** Reads the block at an offset of the message, with the padding after its end: a 1 bit and zeros (section 5.1.1). */
function readBlock(bytes: string, start: number): void {
  for (let word = 0; word < 16; word += 1) {
    const at = start + 4 * word;
    schedule[word] =
      (byteAt(bytes, at) << 24) | (byteAt(bytes, at + 1) << 16) | (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3);
  }
}

function byteAt(bytes: string, at: number): number {
  if (at < bytes.length) return bytes.charCodeAt(at);
  return at === bytes.length ? 0x80 : 0;
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Mixes the current block into the state (section 6.2.2). */
function digestBlock(): void {
  for (let at = 16; at < 64; at += 1) {
    const early = schedule[at - 15] as number;
    const late = schedule[at - 2] as number;
    const mixed = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const other = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[at] = ((schedule[at - 16] as number) + mixed + (schedule[at - 7] as number) + other) | 0;
  }
  // Not destructured: the iterator would take as long as the rounds.
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let at = 0; at < 64; at += 1) {
    const big = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + big + chosen + (roundConstants[at] as number) + (schedule[at] as number)) | 0;
    const small = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  add([a, b, c, d, e, f, g, h]);
}

const add = (words: readonly number[]): void => {
  for (let at = 0; at < words.length; at += 1) state[at] = ((state[at] as number) + (words[at] as number)) | 0;
};

/** SHA-256 (FIPS 180-4), here because the platforms of this package share no synchronous one. */

const blockBytes = 64;
const lengthBytes = 8;

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4 sections 4.2.2 and 5.3.3). */
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

/** Exact on every machine: the root of `prime · 2^(32·degree)`, of which the low 32 bits are the fraction. */
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

/** The SHA-256 of a byte string, in lower-case hexadecimal. */
export function sha256(bytes: string): string {
  const message = padded(bytes);
  const state = Int32Array.from(initialState);
  const schedule = new Int32Array(blockBytes);
  for (let at = 0; at < message.length; at += 16) {
    schedule.set(message.subarray(at, at + 16));
    digestBlock(state, schedule);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The message as 32-bit words, with a 1 bit, zeros and its length in bits behind it (section 5.1.1). */
function padded(bytes: string): Int32Array {
  const blocks = Math.ceil((bytes.length + 1 + lengthBytes) / blockBytes);
  const words = new Int32Array((blocks * blockBytes) / 4);
  const put = (at: number, byte: number): void => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - 8 * (at & 3)));
  };
  for (let at = 0; at < bytes.length; at += 1) put(at, bytes.charCodeAt(at));
  put(bytes.length, 0x80);
  const bits = bytes.length * 8;
  words[words.length - 2] = Math.floor(bits / 2 ** 32);
  words[words.length - 1] = bits | 0;
  return words;
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Takes one block into the state (section 6.2.2); the first 16 words of the schedule are the block. */
function digestBlock(state: Int32Array, schedule: Int32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const early = schedule[at - 15] ?? 0;
    const late = schedule[at - 2] ?? 0;
    const mixed = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const other = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[at] = (schedule[at - 16] ?? 0) + mixed + (schedule[at - 7] ?? 0) + other;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const big = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + big + ((e & f) ^ (~e & g)) + (roundConstants[at] ?? 0) + (schedule[at] ?? 0)) | 0;
    const small = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
}

/** Up to this length, V8 builds all tables of its search (Boyer and Moore), so that it is linear and fastest. */
const longestForNative = 250;

/** Whether a byte string contains another, in linear time. */
export const containsText = (text: string, wanted: string): boolean =>
  wanted.length <= longestForNative ? text.includes(wanted) : containsLong(text, wanted);

/** The search of Knuth, Morris and Pratt. */
function containsLong(text: string, wanted: string): boolean {
  if (wanted.length > text.length) return false;
  const bytes = Uint8Array.from(wanted, (byte) => byte.charCodeAt(0));
  const borders = bordersOf(bytes);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extended(bytes, borders, matched, text.charCodeAt(at));
    if (matched === bytes.length) return true;
  }
  return false;
}

/** For each length, how long the longest proper beginning of that many bytes is that is also their end. */
function bordersOf(bytes: Uint8Array): Uint16Array {
  const borders = new Uint16Array(bytes.length + 1);
  for (let at = 1; at < bytes.length; at += 1) {
    // The index is below the length, as below.
    borders[at + 1] = extended(bytes, borders, borders[at] as number, bytes[at] as number);
  }
  return borders;
}

/** How many bytes match after the next one. */
function extended(bytes: Uint8Array, borders: Uint16Array, matched: number, byte: number): number {
  let length = matched;
  while (length > 0 && bytes[length] !== byte) length = borders[length] as number;
  return bytes[length] === byte ? length + 1 : 0;
}

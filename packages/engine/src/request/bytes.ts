/**
 * Request texts are byte strings: one character (U+0000 to U+00FF) per byte. Configuration texts are Unicode and are
 * encoded as UTF-8.
 */

const ascii = /^[\0-\x7f]*$/;

/** The UTF-8 bytes of a text (RFC 3629 section 3), one character per byte. Lone surrogates become U+FFFD. */
export function utf8(text: string): string {
  if (ascii.test(text)) return text;
  let bytes = '';
  for (const character of text) bytes += utf8Character(character.codePointAt(0) ?? 0);
  return bytes;
}

/** Number of UTF-8 bytes of a text. */
export const utf8Length = (text: string): number => utf8(text).length;

function utf8Character(codePoint: number): string {
  if (codePoint < 0x80) return String.fromCharCode(codePoint);
  if (codePoint < 0x800) return String.fromCharCode(0xc0 | (codePoint >> 6), following(codePoint));
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return utf8Character(0xfffd);
  if (codePoint < 0x1_0000) {
    return String.fromCharCode(0xe0 | (codePoint >> 12), following(codePoint >> 6), following(codePoint));
  }
  return String.fromCharCode(
    0xf0 | (codePoint >> 18),
    following(codePoint >> 12),
    following(codePoint >> 6),
    following(codePoint),
  );
}

const following = (bits: number): number => 0x80 | (bits & 0x3f);

/** Trims spaces and tabs (RFC 9110 section 5.6.3), and no other characters. */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text, from)) from += 1;
  while (to > from && isBlank(text, to - 1)) to -= 1;
  return text.slice(from, to);
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether the text is a token (RFC 9110 section 5.6.2), like names of headers, cookies and methods. */
export const isToken = (text: string): boolean => token.test(text);

/** Folds ASCII letters to lower case; bytes above 0x7F are not letters. */
export const lowerCased = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

import { z } from 'zod';
import { coded, sizeMessage } from './parse.ts';

const controls = /\p{Cc}/u;
const controlsExceptLayout = /[^\P{Cc}\n\t]/u;

/** The number of Unicode code points, the unit of all text limits. */
export const codePoints = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

/** The number of bytes in UTF-8 (RFC 3629 section 3); a lone surrogate counts as three. */
export const utf8Bytes = (value: string): number => {
  let bytes = 0;
  // By code units: iterating over characters takes many times as long, and pages are long.
  for (let at = 0; at < value.length; at += 1) {
    const codePoint = value.charCodeAt(at) < 0x800 ? value.charCodeAt(at) : (value.codePointAt(at) ?? 0);
    if (codePoint < 0x80) bytes += 1;
    else if (codePoint < 0x800) bytes += 2;
    else if (codePoint < 0x1_0000) bytes += 3;
    else {
      bytes += 4;
      // The second half of the pair.
      at += 1;
    }
  }
  return bytes;
};

/** Trims, ends lines with line feeds and applies Unicode normalization form C, so that equal-looking texts are equal. */
export const normalized = (value: string): string => value.trim().replaceAll('\r\n', '\n').normalize('NFC');

/** The form in which names are compared: case-insensitive. */
export const nameKey = (name: string): string => searchKey(name.trim());

/** The form in which substrings of names are compared. */
export const searchKey = (part: string): string =>
  // Final and medial sigma are folded, since lowercasing depends on the word end, which a substring does not share.
  part.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/** Length limits in code points, and whether line breaks are allowed. */
export interface TextLimits {
  /** Minimum, after trimming. */
  readonly min?: number;
  /** Maximum, after trimming. */
  readonly max: number;
  /** Allows line feeds and tabs. */
  readonly multiline?: boolean;
}

/**
 * Whether a text can possibly fit its limit; only then is it normalized, which takes quadratic time for long runs of
 * combining marks. In ordinary writing, normalization composes at most four code units into one code point.
 */
const mayFit = (value: string, max: number): boolean => value.trim().length <= 4 * max;

/** Free text: normalized, without control characters and lone surrogates, with length limits in code points. */
export const text = ({ min = 0, max, multiline = false }: TextLimits) => {
  const forbidden = multiline ? controlsExceptLayout : controls;
  return z
    .string()
    .refine((value) => value.isWellFormed(), coded('text.encoding', 'This value contains a lone surrogate.'))
    .overwrite((value) => (mayFit(value, max) ? normalized(value) : value))
    .refine((value) => codePoints(value) >= min, coded('text.tooShort', sizeMessage('at least', min, 'character')))
    .refine(
      (value) => mayFit(value, max) && codePoints(value) <= max,
      coded('text.tooLong', sizeMessage('at most', max, 'character')),
    )
    .refine((value) => !forbidden.test(value), coded('text.control', 'This value contains a control character.'))
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
};

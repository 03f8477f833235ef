import { utf8 } from './bytes.ts';
import { normalizeQuery } from './request-target.ts';

const needsTriplet = /[ \x80-\xff]/g;

/**
 * A configuration text as it appears in a URL: UTF-8 bytes, with spaces and bytes from 0x80 as triplets, and triplets
 * normalized as in requests.
 */
export const urlText = (text: string): string =>
  normalizeQuery(
    utf8(text).replace(needsTriplet, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`),
  );

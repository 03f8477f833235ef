import { utf8 } from './bytes.ts';
import { normalizeQuery } from './request-target.ts';

const needsTriplet = /[ \x80-\xff]/g;

/**
 * A text of a configuration as it looks in a URL: its UTF-8 bytes, of which the space and those from 0x80 on are
 * triplets, and triplets normalized as those of requests are.
 */
export const urlText = (text: string): string =>
  normalizeQuery(
    utf8(text).replace(needsTriplet, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`),
  );

import { utf8 } from '@zonewright/engine';

/** A text as a quoted string (RFC 9110 section 5.6.4), in the bytes of UTF-8. Control characters are left out. */
export const quotedString = (text: string): string =>
  `"${utf8(text.replaceAll(/\p{Cc}/gu, '').replaceAll(/["\\]/g, '\\$&'))}"`;

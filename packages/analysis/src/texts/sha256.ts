import { createHash } from 'node:crypto';

/** The SHA-256 of a byte string, one character for each byte, in lower-case hexadecimal. */
export const sha256 = (bytes: string): string => createHash('sha256').update(bytes, 'latin1').digest('hex');

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

/**
 * A random token with a prefix and a checksum, so that secret scanners and servers recognize mistyped tokens without a
 * lookup: prefix, random base62 characters, then the CRC-32 of both as six base62 digits.
 */
export const checksummedToken = (prefix: string, random: string): string =>
  `${prefix}${random}${checksum(prefix + random)}`;

/** Whether the last six characters are the checksum of the rest. */
export const hasValidChecksum = (token: string): boolean =>
  token.length > checksumLength && token.slice(-checksumLength) === checksum(token.slice(0, -checksumLength));

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** CRC-32 as in ISO 3309 (reflected polynomial 0xEDB88320) of an ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

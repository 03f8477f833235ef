const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

/**
 * A prefixed random token that ends in a checksum, so that scanners and servers can tell a mistyped token
 * without looking it up: prefix, random base62 characters, six base62 digits of the CRC-32 of all that.
 */
export const checksummedToken = (prefix: string, random: string): string =>
  `${prefix}${random}${checksum(prefix + random)}`;

/** Whether the last six characters are the checksum of the ones before. */
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

/** CRC-32 as in ISO 3309 (reflected polynomial 0xEDB88320), over the code units of an ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Unpredictable values from a cryptographically strong source. */
export interface Randomness {
  /** A new UUID, version 7 (RFC 9562 section 5.7): later ids sort after earlier ones. */
  uuid(): string;
  /** 32 random bytes as 43 characters of base64url. */
  token(): string;
  /** `length` characters, uniformly drawn from 0-9, A-Z, a-z. */
  base62(length: number): string;
  /** `length` characters, uniformly drawn from Crockford's base32 alphabet (5 bits per character). */
  base32(length: number): string;
}

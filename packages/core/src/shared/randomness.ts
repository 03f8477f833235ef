/** Unpredictable values from a cryptographically strong source. */
export interface Randomness {
  /** A fresh UUID, version 7 (RFC 9562 section 5.7): later ids sort after earlier ones. */
  uuid(): string;
  /** 32 random bytes as 43 characters of base64url. */
  token(): string;
  /** `length` characters, each drawn evenly from 0-9, A-Z, a-z. */
  base62(length: number): string;
  /** `length` characters of Crockford's base32 alphabet, each drawn evenly: 5 bits a character. */
  base32(length: number): string;
}

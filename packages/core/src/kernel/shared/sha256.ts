/** The SHA-256 of a byte string (one character per byte), in lower-case hexadecimal. */
export type Sha256 = (bytes: string) => string;

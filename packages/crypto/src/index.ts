/** The public surface of the cryptographic adapters: nothing else can be imported from outside. */
export { aesSecretBox } from './aes-secret-box.ts';
export { argon2Passwords } from './argon2-passwords.ts';
export { bcryptPasswords } from './bcrypt-passwords.ts';
export { comparableSecretBox } from './comparable-secret-box.ts';
export { defaultConcurrency, type HashingGate, hashingGate } from './hashing-gate.ts';
export { hmacRecoveryCodes } from './hmac-recovery-codes.ts';
export { type AccessTokenSettings, jwtAccessTokens } from './jwt-access-tokens.ts';
export type { KeyRing } from './key-ring.ts';
export { nodeRandomness } from './node-randomness.ts';
export { type OneTimeCodeSettings, otplibCodes } from './otplib-codes.ts';
export { qrCodes } from './qr-codes.ts';
export { sealedFlows } from './sealed-flows.ts';
export { sha256 } from './sha256.ts';
export { sha256TokenHashes } from './sha256-token-hashes.ts';

/** What of passkeys can be imported from outside. */
export { type PasskeyChallenge, passkeyChallengeSeconds } from './challenge.ts';
export * from './errors.ts';
export * from './passkey.ts';
export type * from './ports.ts';
export { AssertionResponse, CreationResponse } from './response.ts';

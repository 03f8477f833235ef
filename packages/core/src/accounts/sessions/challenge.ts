import { z } from 'zod';

/**
 * A token proving that the password was right; it only helps together with a code (interface, "Session tokens"). It may
 * be as long as a refresh token, so that a token of another kind is invalid rather than malformed.
 */
export const ChallengeToken = z.string().min(1).max(4096).brand<'ChallengeToken'>();
export type ChallengeToken = z.infer<typeof ChallengeToken>;

/** How long the second step may take, and how many codes may be tried, before signing in starts over. */
export const challengeLimits = { lifetimeSeconds: 5 * 60, attempts: 5 } as const;

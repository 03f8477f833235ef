import { z } from 'zod';

/**
 * A token that proves that the password was right; worth nothing without a code (interface, "Session tokens"). As long
 * as a refresh token may be, so that another kind of token is an invalid one.
 */
export const ChallengeToken = z.string().min(1).max(4096).brand<'ChallengeToken'>();
export type ChallengeToken = z.infer<typeof ChallengeToken>;

/**
 * How long a second step may take, and how many codes may be tried, before one has to begin with the password again.
 */
export const challengeLimits = { lifetimeSeconds: 5 * 60, attempts: 5 } as const;

import { checksummedToken } from '../../kernel/shared/checksummed-token.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';

/** A new ban token: `ban_`, 30 random characters and a 6-character checksum. */
export const newBanToken = (randomness: Randomness): string => checksummedToken('ban_', randomness.base62(30));

/** Shown instead of the ban token to those who may not use it. */
export const maskedBanToken = 'ban_************************************';

/** Shown instead of a stored ban token whose encryption key has been lost; rotation replaces it. */
export const unreadableBanToken = 'ban_????????????????????????????????????';

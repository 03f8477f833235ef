import { object } from '@zonewright/api-description';
import type { PasswordReset } from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../http/answer.ts';
import { messageMember } from './message.ts';

/** Response to a reset by mail: the message, and what the owner should look at next. */
export const passwordResetAnswer = object(
  'PasswordReset',
  z
    .object({
      message: messageMember,
      apiTokens: z
        .array(z.string())
        .meta({
          description:
            'The names of the API tokens that are still valid, newest first. Only if `revokeApiTokens` was sent.',
          examples: [['Deployment']],
        })
        .optional(),
      twoFactorDisabled: z
        .boolean()
        .meta({
          description:
            'Whether an authenticator app was removed because a session that had not confirmed enabled it. Only if `revokeApiTokens` was sent.',
        })
        .optional(),
    })
    .meta({ description: 'The outcome of a password reset.' }),
);

/** Requests that mention API tokens get what the reset ended and left; others get only the documented message. */
export const presentPasswordReset = (reset: PasswordReset, isTold: boolean): PresentedAnswer => ({
  body: {
    message: 'Password changed. All sessions have been ended.',
    ...(isTold ? { apiTokens: reset.apiTokens, twoFactorDisabled: reset.twoFactorDisabled } : {}),
  },
});

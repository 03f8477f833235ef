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
      apiTokens: z.array(z.string()).meta({
        description: 'The names of the API tokens that are still valid, newest first.',
        examples: [['Deployment']],
      }),
      twoFactorDisabled: z.boolean().meta({
        description: 'Whether an authenticator app was removed because a session that had not confirmed enabled it.',
      }),
    })
    .meta({ description: 'The outcome of a password reset.' }),
);

/** What the reset ended, and what it left. */
export const presentPasswordReset = ({ apiTokens, twoFactorDisabled }: PasswordReset): PresentedAnswer => ({
  body: { message: 'Password changed. All sessions have been ended.', apiTokens, twoFactorDisabled },
});

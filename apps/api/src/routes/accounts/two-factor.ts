import { pendingLifetimeSeconds, type SessionCaller, type UseCases, VerificationCode } from '@zonewright/core';
import { z } from 'zod';
import { limitsOf } from '../../http/limits.ts';
import { sessionRoute } from '../../http/route.ts';
import { presentRecoveryCodes, presentSetupData, recoveryCodes, setupData } from '../../present/accounts/two-factor.ts';
import { message, presentMessage } from '../../present/message.ts';
import { authBody } from '../row-members.ts';

/** A TOTP or recovery code. */
export const anyCode = VerificationCode.meta({
  description: 'A code from the authenticator app, or a recovery code. Each code works once.',
  examples: ['123456'],
});

const CodeBody = z.object({ code: anyCode });
const AppCodeBody = z.object({
  code: VerificationCode.meta({ description: 'A code from the authenticator app.', examples: ['123456'] }),
});

const codeLimits = ({ caller, useCases }: { readonly caller: SessionCaller; readonly useCases: UseCases }) =>
  limitsOf.secondFactor(caller, () => useCases.reportSecondFactorLock(caller.userId, caller.client));

export const twoFactorRoutes = [
  sessionRoute({
    method: 'post',
    path: '/api/2fa/setup',
    cost: 'constant',
    summary: 'Start setting up two-factor authentication.',
    description:
      'Returns a secret for an authenticator app; it is shown only once. Signing in requires no code until the ' +
      `setup is confirmed. An unconfirmed secret expires after ${pendingLifetimeSeconds / 60} minutes; starting ` +
      'again replaces it.',
    answers: setupData,
    errors: ['TwoFactorAlreadyEnabled'],
    idempotencyKey: 'ignored',
    run: ({ caller, useCases }) => useCases.beginSetup(caller),
    present: presentSetupData,
  }),
  sessionRoute({
    method: 'post',
    path: '/api/2fa/confirm',
    cost: 'constant',
    summary: 'Turn two-factor authentication on.',
    description:
      'The code proves that the authenticator app has the secret. Returns the recovery codes, which are shown only ' +
      'once, and ends every other session. Consecutive wrong codes are limited per user.',
    answers: recoveryCodes,
    ...authBody(AppCodeBody),
    errors: ['TwoFactorNotPending', 'InvalidVerificationCode'],
    idempotencyKey: 'ignored',
    limits: codeLimits,
    run: ({ caller, body, useCases }) => useCases.confirmSetup(caller, body.code),
    present: presentRecoveryCodes,
  }),
  sessionRoute({
    method: 'post',
    path: '/api/2fa/disable',
    cost: 'constant',
    summary: 'Turn two-factor authentication off.',
    description:
      'Not possible while one of your organizations requires it; the code is not used up in that case. Consecutive wrong codes are limited per user.',
    answers: message,
    ...authBody(CodeBody),
    errors: ['TwoFactorNotEnabled', 'TwoFactorEnforced', 'InvalidVerificationCode'],
    idempotencyKey: 'ignored',
    limits: codeLimits,
    run: ({ caller, body, useCases }) => useCases.disableTwoFactor(caller, body.code),
    present: () => presentMessage('Two-factor authentication disabled.'),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/2fa/recovery-codes',
    cost: 'constant',
    summary: 'Replace your recovery codes.',
    description:
      'Returns a new set of codes, which are shown only once; all earlier codes stop working. Consecutive wrong codes are limited per user.',
    answers: recoveryCodes,
    ...authBody(CodeBody),
    errors: ['TwoFactorNotEnabled', 'InvalidVerificationCode'],
    idempotencyKey: 'ignored',
    limits: codeLimits,
    run: ({ caller, body, useCases }) => useCases.replaceRecoveryCodes(caller, body.code),
    present: presentRecoveryCodes,
  }),
];

import {
  type BeginSetup,
  type ConfirmSetup,
  type DisableTwoFactor,
  parse,
  type ReplaceRecoveryCodes,
  type SessionCaller,
  VerificationCode,
} from '@zonewright/core';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';
import { limitsOf } from '../http/rate-limits.ts';
import { badRequest, type Given, sessionRoute } from '../http/route.ts';

export interface TwoFactorUseCases {
  readonly beginSetup: BeginSetup;
  readonly confirmSetup: ConfirmSetup;
  readonly disableTwoFactor: DisableTwoFactor;
  readonly replaceRecoveryCodes: ReplaceRecoveryCodes;
}

const CodeBody = z.object({ code: VerificationCode });

const codeLimits = ({ caller }: { readonly caller: SessionCaller }) => limitsOf.secondFactor(caller);

export const twoFactorRoutes = ({
  beginSetup,
  confirmSetup,
  disableTwoFactor,
  replaceRecoveryCodes,
}: TwoFactorUseCases) => [
  sessionRoute({
    method: 'post',
    path: '/api/2fa/setup',
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    run: ({ caller }) => beginSetup(caller),
    present: ({ secret, otpauthUri, qrDataUri }) => ({ body: { secret, otpauthUri, qrDataUri } }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/2fa/confirm',
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    body: (body) => parse(CodeBody, body),
    limits: codeLimits,
    run: ({ caller, body }) => confirmSetup(caller, body.code),
    present: presentRecoveryCodes,
    problems: badRequest,
  }),
  sessionRoute({
    method: 'post',
    path: '/api/2fa/disable',
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    body: (body) => parse(CodeBody, body),
    limits: codeLimits,
    run: ({ caller, body }) => disableTwoFactor(caller, body.code),
    present: () => ({ body: { message: 'Two-factor authentication disabled.' } }),
    problems: badRequest,
  }),
  sessionRoute({
    method: 'post',
    path: '/api/2fa/recovery-codes',
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    body: (body) => parse(CodeBody, body),
    limits: codeLimits,
    run: ({ caller, body }) => replaceRecoveryCodes(caller, body.code),
    present: presentRecoveryCodes,
    problems: badRequest,
  }),
];

function presentRecoveryCodes(recoveryCodes: readonly string[]): Given {
  return { body: { recoveryCodes } };
}

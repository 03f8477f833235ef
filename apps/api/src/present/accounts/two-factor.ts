import { object } from '@zonewright/api-description';
import { recoveryCodeCount, type SetupData } from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../../http/answer.ts';

/** The input of an authenticator app (interface, "Two-factor data"). */
export const setupData = object(
  'TwoFactorSetup',
  z
    .object({
      secret: z.string().meta({ description: 'The secret in base32, for manual entry into an authenticator app.' }),
      otpauthUri: z.string().meta({ format: 'uri', description: 'The secret as a provisioning URI (`otpauth:`).' }),
      qrDataUri: z
        .string()
        .meta({ format: 'uri', description: 'The provisioning URI as a QR code: a PNG image as a data URI.' }),
    })
    .meta({ description: 'The secret of a second factor, in three forms.' }),
);

/** The secret as text, URI and QR code. */
export const presentSetupData = ({ secret, otpauthUri, qrDataUri }: SetupData): PresentedAnswer => ({
  body: { secret, otpauthUri, qrDataUri },
});

/** A new set of recovery codes. */
export const recoveryCodes = object(
  'RecoveryCodes',
  z
    .object({
      recoveryCodes: z.array(z.string()).length(recoveryCodeCount).meta({
        description: 'Each works once in place of a code from the authenticator app. They are shown only once.',
      }),
    })
    .meta({ description: 'A new set of recovery codes.' }),
);

export const presentRecoveryCodes = (codes: readonly string[]): PresentedAnswer => ({ body: { recoveryCodes: codes } });

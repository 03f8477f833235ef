/** What answers a challenge after a password: a code of an authenticator app (or a recovery code), or a passkey. */
export type SecondFactor = 'code' | 'passkey';

/** The second factors that an account has. */
export interface EnrolledFactors {
  /** Whether codes of an authenticator app are asked for. */
  readonly twoFactorEnabled: boolean;
  /** The number of passkeys. */
  readonly passkeys: number;
}

/** The second factors of an account; with any of them, a password alone opens no session. */
export const secondFactorsOf = ({ twoFactorEnabled, passkeys }: EnrolledFactors): readonly SecondFactor[] => [
  ...(twoFactorEnabled ? (['code'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
];

/** Whether the account has what organizations that require two-factor authentication ask for. */
export const hasSecondFactor = (enrolled: EnrolledFactors): boolean => secondFactorsOf(enrolled).length > 0;

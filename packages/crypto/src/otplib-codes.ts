import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Email, OneTimeCodes, TotpSecret } from '@zonewright/core';
import { generateSync, ScureBase32Plugin } from 'otplib';

/** The parameters that every authenticator app supports (RFC 6238, defaults of section 4). */
const totp = { algorithm: 'sha1', digits: 6, period: 30 } as const;
const secretBytes = 20;
const base32 = new ScureBase32Plugin();

/** The issuer shown in authenticator apps, and the clock for time steps. */
export interface OneTimeCodeSettings {
  /** The name that authenticator apps show for the account; contains no colon. */
  readonly issuer: string;
  readonly now?: () => Date;
}

/** Time-based one-time passwords: SHA-1, 6 digits, steps of 30 seconds of the server's clock (RFC 6238). */
export function otplibCodes({ issuer, now = () => new Date() }: OneTimeCodeSettings): OneTimeCodes {
  // A colon separates the issuer from the account in the label.
  if (issuer === '' || issuer.includes(':')) throw new Error('One-time codes need an issuer without a colon.');
  return {
    // A secret is the base32 of this many bytes.
    newSecret: () => base32.encode(randomBytes(secretBytes)) as TotpSecret,
    provisioningUri: (secret, account) => provisioningUri(issuer, account, secret),
    stepOf(secret, code) {
      const current = Math.floor(now().getTime() / 1000 / totp.period);
      // Latest first, so that a code shared by two steps is used up for both.
      return [current + 1, current, current - 1].find((step) => isEqual(codeOf(secret, step), code));
    },
  };
}

/** Spells out every parameter, including defaults, for apps that assume others. */
function provisioningUri(issuer: string, account: Email, secret: TotpSecret): string {
  const [name, label] = [encodeURIComponent(issuer), encodeURIComponent(account)];
  return `otpauth://totp/${name}:${label}?secret=${secret}&issuer=${name}&algorithm=SHA1&digits=${totp.digits}&period=${totp.period}`;
}

const codeOf = (secret: TotpSecret, step: number): string =>
  generateSync({ ...totp, secret, epoch: step * totp.period });

function isEqual(expected: string, code: string): boolean {
  const [left, right] = [Buffer.from(expected, 'utf8'), Buffer.from(code, 'utf8')];
  return left.length === right.length && timingSafeEqual(left, right);
}

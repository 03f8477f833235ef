import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Email, OneTimeCodes, TotpSecret } from '@zonewright/core';
import { generateSync, ScureBase32Plugin } from 'otplib';

/** What authenticator apps understand without exception (RFC 6238, with the defaults of its section 4). */
const totp = { algorithm: 'sha1', digits: 6, period: 30 } as const;
const secretBytes = 20;
const base32 = new ScureBase32Plugin();

/** What authenticator apps show, and the clock that time steps are counted by. */
export interface OneTimeCodeSettings {
  /** Name under which authenticator apps list the account; holds no colon. */
  readonly issuer: string;
  readonly now?: () => Date;
}

/** Time-based one-time passwords: SHA-1, 6 digits, steps of 30 seconds of the server's clock (RFC 6238). */
export function otplibCodes({ issuer, now = () => new Date() }: OneTimeCodeSettings): OneTimeCodes {
  // A colon ends the issuer within the label of the URI.
  if (issuer === '' || issuer.includes(':')) throw new Error('One-time codes need an issuer without a colon.');
  return {
    // Base32 of this many bytes is what a secret is.
    newSecret: () => base32.encode(randomBytes(secretBytes)) as TotpSecret,
    provisioningUri: (secret, account) => provisioningUri(issuer, account, secret),
    stepOf(secret, code) {
      const current = Math.floor(now().getTime() / 1000 / totp.period);
      // The latest first: digits that two steps happen to share are then spent for both of them.
      return [current + 1, current, current - 1].find((step) => isEqual(codeOf(secret, step), code));
    },
  };
}

/** Every parameter is written out, defaults too, so that no app has to guess. */
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

import {
  type AccessClaims,
  type AccessTokens,
  type Mail,
  type Mailer,
  type PasswordHash,
  type PasswordHashes,
  type Randomness,
  type TokenHash,
  type TokenHashes,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, okAsync } from 'neverthrow';

/** Passwords that are not protected at all: for unit tests, where hashing would only cost time. */
export const plainPasswords = (): PasswordHashes => ({
  hash: (password) => okAsync(`plain:${password}` as PasswordHash),
  verify: (hash, attempt) => okAsync(hash === `plain:${attempt}`),
  isOutdated: () => false,
});

/** Access tokens that anybody can forge: for unit tests. */
export const unsignedAccessTokens = (): AccessTokens => {
  const read = (token: string) => {
    const [kind, userId, sessionId] = token.split('/');
    return kind === 'unsigned' ? ok({ userId, sessionId } as AccessClaims) : err(unauthenticated());
  };
  return {
    issue: ({ userId, sessionId }) => `unsigned/${userId}/${sessionId}`,
    verify: read,
    verifyIgnoringExpiry: read,
  };
};

/** Token "hashes" that are the tokens themselves: for unit tests. */
export const plainTokenHashes = (): TokenHashes => ({ of: (token) => token as TokenHash });

/** Values that are distinct but predictable: for unit tests. */
export const countingRandomness = (): Randomness => {
  let count = 0;
  const next = (length: number) => {
    count += 1;
    return String(count).padStart(length, '0');
  };
  return {
    uuid: () => `00000000-0000-7000-8000-${next(12)}`,
    token: () => next(43),
    base62: next,
  };
};

/** Keeps the mails it is given. */
export const memoryMailer = (): Mailer & { readonly sent: readonly Mail[] } => {
  const sent: Mail[] = [];
  return {
    sent,
    send: (mail) => {
      sent.push(mail);
      return okAsync();
    },
  };
};

import {
  type AccessClaims,
  type AccessTokens,
  type BasicAuthPasswordHash,
  type BasicAuthPasswordHashes,
  type CredentialId,
  type Dns,
  type Mail,
  type Mailer,
  type NoTexts,
  noTexts,
  type OneTimeCodes,
  type PasskeyCeremonies,
  type PasskeyChallenge,
  type PasswordHash,
  type PasswordHashes,
  passkeyRefused,
  type QrCodes,
  type Randomness,
  type RecoveryCodeHash,
  type RecoveryCodeHashes,
  type TokenHash,
  type TokenHashes,
  type TotpSecret,
  unauthenticated,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync } from 'neverthrow';

/** Unprotected passwords, for unit tests that need no real hashing. */
export const plainPasswords = (): PasswordHashes => ({
  // A fake creates the branded values itself.
  hash: (password) => okAsync(`plain:${password}` as PasswordHash),
  verify: (hash, attempt) => okAsync(hash === `plain:${attempt}`),
  isOutdated: () => false,
});

/** Unprotected passwords of basic-auth users, which no proxy can verify: for unit tests. */
export const plainBasicAuthPasswords = (): BasicAuthPasswordHashes => ({
  // As above.
  hash: (password) => okAsync(`plain:${password}` as BasicAuthPasswordHash),
});

/** Access tokens that anyone can forge: for unit tests. */
export const unsignedAccessTokens = (): AccessTokens => {
  const read = (token: string) => {
    const [kind, userId, sessionId] = token.split('/');
    // Only `issue` below creates tokens of this form.
    return kind === 'unsigned' ? ok({ userId, sessionId } as AccessClaims) : err(unauthenticated());
  };
  return {
    issue: ({ userId, sessionId }) => `unsigned/${userId}/${sessionId}`,
    verify: read,
    verifyIgnoringExpiry: read,
  };
};

/** Token "hashes" that are the tokens themselves: for unit tests. */
export const plainTokenHashes = (): TokenHashes => ({
  // A fake creates the branded values itself.
  of: (token) => token as TokenHash,
});

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
    base32: next,
  };
};

const stepMilliseconds = 30_000;

/** Predictable one-time codes with numbers for secrets: for unit tests. */
export const countingOneTimeCodes = ({
  now = () => new Date(),
}: {
  readonly now?: () => Date;
} = {}): OneTimeCodes & {
  /** The code that an app with the secret shows `stepsAhead` steps from now. */
  codeOf(secret: TotpSecret, stepsAhead?: number): string;
} => {
  let count = 0;
  const current = () => Math.floor(now().getTime() / stepMilliseconds);
  const codeAt = (secret: TotpSecret, step: number) => secret.slice(-3) + String(step % 1000).padStart(3, '0');
  return {
    newSecret: () => {
      count += 1;
      // 32 digits fit wherever a secret does, though no authenticator can read them.
      return String(count).padStart(32, '0') as TotpSecret;
    },
    provisioningUri: (secret, account) => `otpauth://totp/${account}?secret=${secret}`,
    stepOf: (secret, code) => [current() + 1, current(), current() - 1].find((step) => codeAt(secret, step) === code),
    codeOf: (secret, stepsAhead = 0) => codeAt(secret, current() + stepsAhead),
  };
};

/** Pictures that consist of the text itself: for unit tests. */
export const plainQrCodes = (): QrCodes => ({
  dataUri: (text) => okAsync(`data:text/plain,${encodeURIComponent(text)}`),
});

/**
 * Passkeys without signatures, for unit tests: `clientDataJSON` is the challenge, `attestationObject` the key, which
 * `authenticatorData` repeats, and `signature` the counter.
 */
export const plainPasskeyCeremonies = (): PasskeyCeremonies => ({
  creationOptions: ({ challenge, user, others }) =>
    okAsync({ challenge, user: user.id, excluded: others.map(({ credentialId }) => credentialId) }),
  requestOptions: ({ challenge, passkeys }) =>
    okAsync({ challenge, ...(passkeys && { allowed: passkeys.map(({ credentialId }) => credentialId) }) }),
  // A fake takes the branded values from the response itself.
  challengeIn: ({ response }) => response.clientDataJSON as PasskeyChallenge,
  verifyCreation: ({ id, response }) =>
    okAsync({
      // As above.
      credentialId: id as CredentialId,
      publicKey: response.attestationObject,
      counter: 0,
      transports: response.transports ?? [],
      backedUp: false,
    }),
  verifyAssertion: ({ response }, { passkey, namesUser }) => {
    const isRight = response.authenticatorData === passkey?.publicKey;
    const isNamed = !namesUser || response.userHandle === passkey?.userId;
    return isRight && isNamed
      ? okAsync({ counter: Number(response.signature), backedUp: true })
      : errAsync(passkeyRefused());
  },
});

/** Recovery code "hashes" that are the codes themselves: for unit tests. */
export const plainRecoveryCodeHashes = (): RecoveryCodeHashes => {
  // A fake creates the branded values itself.
  const of: RecoveryCodeHashes['of'] = (user, code) => `plain:${user}:${code}` as RecoveryCodeHash;
  return { of, candidates: (user, code) => [of(user, code)] };
};

/** Collects mails instead of sending them. */
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

/** DNS that knows the texts it is given, by name; a reason in place of texts is why there are none. */
export const memoryDns = (): Dns & { readonly records: Map<string, readonly string[] | NoTexts['reason']> } => {
  const records = new Map<string, readonly string[] | NoTexts['reason']>();
  return {
    records,
    texts: (name) => {
      const known = records.get(name) ?? 'noSuchName';
      return typeof known === 'string' ? errAsync(noTexts(known)) : okAsync(known);
    },
  };
};

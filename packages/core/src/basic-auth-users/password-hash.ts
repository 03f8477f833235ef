import { okAsync, ResultAsync } from 'neverthrow';
import type { BasicAuthPassword, BasicAuthPasswordHash } from './basic-auth-user.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';

/** The hash of a written password, or the one that was given; undefined when neither was. */
export const givenHash = (
  hashes: BasicAuthPasswordHashes,
  {
    password,
    passwordHash,
  }: { readonly password?: BasicAuthPassword | undefined; readonly passwordHash?: BasicAuthPasswordHash | undefined },
): ResultAsync<BasicAuthPasswordHash | undefined, never> =>
  password === undefined ? okAsync(passwordHash) : ResultAsync.fromSafePromise(hashes.hash(password));

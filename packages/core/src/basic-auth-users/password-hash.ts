import { okAsync, type ResultAsync } from 'neverthrow';
import type { HashingBusy } from '../accounts/errors.ts';
import type { BasicAuthPassword, BasicAuthPasswordHash } from './basic-auth-user.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';

/** The hash of a written password, or the one that was given; undefined when neither was. */
export const givenHash = (
  hashes: BasicAuthPasswordHashes,
  {
    password,
    passwordHash,
  }: { readonly password?: BasicAuthPassword | undefined; readonly passwordHash?: BasicAuthPasswordHash | undefined },
): ResultAsync<BasicAuthPasswordHash | undefined, HashingBusy> =>
  password === undefined ? okAsync(passwordHash) : hashes.hash(password);

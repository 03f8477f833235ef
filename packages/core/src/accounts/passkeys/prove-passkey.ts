import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { TokenHashes } from '../../kernel/shared/token-hash.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import type { PasskeyPurpose } from './challenge.ts';
import { type PasskeyRefused, passkeyRefused } from './errors.ts';
import type { CredentialId } from './passkey.ts';
import type { HeldPasskey, PasskeyCeremonies } from './ports.ts';
import type { PasskeyRepositories } from './repositories.ts';
import type { AssertionResponse } from './response.ts';
import { spendChallenge } from './spend-challenge.ts';

/** What is needed to check the response of a passkey. */
export type PasskeyVerification = { readonly tokenHashes: TokenHashes; readonly passkeyCeremonies: PasskeyCeremonies };

/** The passkey that a response names. Proves nothing. */
export const namedPasskey = (
  { unitOfWork }: { readonly unitOfWork: UnitOfWork<PasskeyRepositories> },
  { id }: AssertionResponse,
): ResultAsync<HeldPasskey | undefined, never> =>
  // Any text may be looked up.
  unitOfWork.view(({ passkeys }) => passkeys.held(id as CredentialId));

/**
 * Checks the response of a passkey, which must be that of `user` if one is given, and records its use. The challenge is
 * used up first, and stays so whatever follows. An unknown passkey costs the same work as a wrong signature.
 */
export const provePasskey = (
  dependencies: PasskeyVerification & { readonly unitOfWork: UnitOfWork<PasskeyRepositories> },
  response: AssertionResponse,
  { purpose, user, named }: { purpose: PasskeyPurpose; user?: UserId; named: HeldPasskey | undefined },
  client: Client,
): ResultAsync<HeldPasskey, PasskeyRefused> =>
  safeTry(async function* () {
    const { passkeyCeremonies, unitOfWork } = dependencies;
    const challenge = yield* spendChallenge(dependencies, purpose, passkeyCeremonies.challengeIn(response));
    const passkey = user === undefined || named?.userId === user ? named : undefined;
    const expected = { challenge, passkey, namesUser: user === undefined };
    const use = yield* passkeyCeremonies.verifyAssertion(response, expected);
    if (passkey === undefined) return err(passkeyRefused());
    const isNoted = yield* unitOfWork.single(({ passkeys }) => passkeys.noteUse(passkey.id, use));
    if (isNoted) return ok(passkey);
    yield* reportCopy(dependencies, passkey, client);
    return err(passkeyRefused());
  });

const reportCopy = (
  { unitOfWork }: { readonly unitOfWork: UnitOfWork<PasskeyRepositories> },
  { id, userId }: HeldPasskey,
  client: Client,
): ResultAsync<void, never> =>
  unitOfWork.run((repositories) =>
    recordFor(repositories, userId, client, 'passkey.counterWentBack', { passkey: id }).andThen(() =>
      notify(repositories, userId, 'passkey-counter-went-back', client),
    ),
  );

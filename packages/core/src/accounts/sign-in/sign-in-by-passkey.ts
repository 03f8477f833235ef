import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import { recordRefusal } from '../../organizations/audit/record.ts';
import { type AccountInactive, accountInactive } from '../accounts/errors.ts';
import { type PasskeyRefused, passkeyRefused } from '../passkeys/errors.ts';
import { namedPasskey, type PasskeyVerification, provePasskey } from '../passkeys/prove-passkey.ts';
import type { AssertionResponse } from '../passkeys/response.ts';
import { openSessionAlone, tokensOf } from '../sessions/open-session.ts';
import type { AccessTokens } from '../sessions/ports.ts';
import type { SessionTokens } from '../sessions/session.ts';
import type { SignInRepositories } from './repositories.ts';

export type SignInByPasskeyError = PasskeyRefused | AccountInactive;

type SignInPorts = PasskeyVerification &
  Pick<Dependencies<SignInRepositories>, 'unitOfWork' | 'randomness'> & { readonly accessTokens: AccessTokens };

/**
 * Signs in by a passkey. Possession of it and the verification of its user by the authenticator are two factors, so no
 * further challenge follows. Only a right signature reveals that an account is inactive.
 */
export const signInByPasskey =
  (dependencies: SignInPorts) =>
  (response: AssertionResponse, client: Client): ResultAsync<SessionTokens, SignInByPasskeyError> =>
    safeTry(async function* () {
      const named = yield* namedPasskey(dependencies, response);
      // For unknown passkeys too, so that the work is the same for every passkey.
      const refuse = (action: AuditAction, error: SignInByPasskeyError) =>
        recordRefusal(dependencies)(named?.userId, client, action, {}).andThen(() => err(error));
      const purpose = { kind: 'sign-in', of: 'anyone' } as const;
      const { userId, standing, credentialsVersion } = yield* provePasskey(
        dependencies,
        response,
        { purpose, named },
        client,
      ).orElse((refused) => refuse('login.failed', refused));
      if (standing === 'inactive') return refuse('login.inactive', accountInactive());
      const proof = { userId, credentialsVersion, methods: ['pop', 'mfa'] as const };
      return openSessionAlone(dependencies, proof, client)
        .map((opened) => tokensOf(dependencies, opened))
        .mapErr(passkeyRefused);
    });

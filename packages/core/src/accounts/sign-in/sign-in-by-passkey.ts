import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordRefusal } from '../../organizations/audit/record.ts';
import { type AccountInactive, accountInactive } from '../accounts/errors.ts';
import type { Accounts } from '../accounts/ports.ts';
import { type PasskeyRefused, passkeyRefused } from '../passkeys/errors.ts';
import type { PasskeyChallenges, Passkeys } from '../passkeys/ports.ts';
import { namedPasskey, type PasskeyVerification, provePasskey } from '../passkeys/prove-passkey.ts';
import type { AssertionResponse } from '../passkeys/response.ts';
import { openSessionAlone, tokensOf } from '../sessions/open-session.ts';
import type { AccessTokens, RefreshTokens, Sessions, SignIns } from '../sessions/ports.ts';
import type { SessionTokens } from '../sessions/session.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly outbox: Outbox;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passkeys: Passkeys;
  readonly refreshTokens: RefreshTokens;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
}

export type SignInByPasskeyError = PasskeyRefused | AccountInactive;

type SignInPorts = PasskeyVerification &
  Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness'> & { readonly accessTokens: AccessTokens };

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

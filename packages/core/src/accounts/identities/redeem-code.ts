import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { ProviderId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import type { LoggedIn } from '../sign-in/log-in.ts';
import type { FlowInvalid, ProviderNotFound } from './errors.ts';
import type { CodeGrant } from './flow.ts';
import { providerById, type SignInProvider } from './identity.ts';
import type { NoAttestation, SignInProviders } from './ports.ts';
import type { IdentityRepositories } from './repositories.ts';
import { type SignInError, type SignInPorts, signInBy } from './sign-in.ts';

export type RedeemCodeError = ProviderNotFound | InvalidInput | FlowInvalid | NoAttestation | SignInError;

/** Signs in with a code of a flow that a program, or a page of another origin, has run itself. A code works once. */
export const redeemCode =
  (
    ports: SignInPorts & {
      readonly unitOfWork: UnitOfWork<IdentityRepositories>;
      readonly signInProviders: SignInProviders;
    },
  ) =>
  (id: ProviderId, grant: CodeGrant, client: Client): ResultAsync<LoggedIn, RedeemCodeError> =>
    safeTry(async function* () {
      const { unitOfWork, signInProviders, tokenHashes } = ports;
      const provider = yield* providerById(signInProviders.all, id);
      yield* requireRegistered(provider, grant);
      yield* unitOfWork.single(({ spentStates }) => spentStates.spend(tokenHashes.of(`${id} ${grant.code}`)));
      const attestation = yield* signInProviders.redeem(id, grant);
      return signInBy(ports, { provider, attestation }, client);
    });

const requireRegistered = (
  { redirectUris }: SignInProvider,
  { redirectUri }: CodeGrant,
): Result<void, InvalidInput> => {
  if (redirectUris.includes(redirectUri)) return ok();
  const reason = 'This value is not registered for the provider.';
  return err(invalidAt('redirectUri', 'provider.redirectUri', reason));
};

import { okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { ProviderId } from '../../kernel/shared/ids.ts';
import { type Page, type PageRequest, pageOf } from '../../kernel/shared/page.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import { requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import type { AccessClaims } from '../sessions/session.ts';
import type { ProviderNotFound, ProviderUnavailable } from './errors.ts';
import { defaultReturnPath, type ReturnPath } from './flow.ts';
import { providerById, type SignInProvider } from './identity.ts';
import type { SealedFlows, SignInProviders } from './ports.ts';

type FlowPorts = {
  readonly signInProviders: SignInProviders;
  readonly sealedFlows: SealedFlows;
  readonly randomness: Randomness;
};

/** A flow that has begun. */
export interface StartedFlow {
  /** Where the browser goes. */
  readonly url: string;
  /** What the browser keeps for `flowLifetimeSeconds`. */
  readonly sealed: string;
}

/** Why no flow begins. */
export type StartFlowError = ProviderNotFound | ProviderUnavailable;

/** The providers that people can sign in by. */
export const listProviders =
  ({ signInProviders }: { readonly signInProviders: SignInProviders }) =>
  (page: PageRequest): ResultAsync<Page<SignInProvider>, never> =>
    okAsync(pageOf(signInProviders.all, page));

/** Begins a sign-in by a provider. Changes nothing that is stored. */
export const startSignIn =
  (ports: FlowPorts) =>
  (provider: ProviderId, returnTo: ReturnPath = defaultReturnPath): ResultAsync<StartedFlow, StartFlowError> =>
    start(ports, provider, returnTo, undefined);

/** Begins a flow that links an identity to the caller's account. Only their session can complete it. */
export const startLink =
  (ports: FlowPorts) =>
  (
    caller: SessionCaller,
    provider: ProviderId,
    returnTo: ReturnPath = defaultReturnPath,
  ): ResultAsync<StartedFlow, StartFlowError | Unconfirmed> =>
    requireConfirmed(caller).asyncAndThen(() =>
      start(ports, provider, returnTo, { userId: caller.userId, sessionId: caller.credential.id }),
    );

const start = (
  { signInProviders, sealedFlows, randomness }: FlowPorts,
  id: ProviderId,
  returnTo: ReturnPath,
  linking: AccessClaims | undefined,
): ResultAsync<StartedFlow, StartFlowError> => {
  const secrets = { state: randomness.token(), nonce: randomness.token(), codeVerifier: randomness.token() };
  const known: Result<SignInProvider, ProviderNotFound> = providerById(signInProviders.all, id);
  return known
    .asyncAndThen(() => signInProviders.authorizationUrl(id, secrets))
    .map((url) => ({ url, sealed: sealedFlows.seal({ ...secrets, provider: id, returnTo, linking }) }));
};

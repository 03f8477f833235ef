import { ProviderId, providerUnavailable, type SignInProvider, type SignInProviders } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { githubProvider } from './github-provider.ts';
import { openIdProvider } from './openid-provider.ts';
import type { Provider } from './provider.ts';
import { refusalOf, unavailability } from './refusals.ts';
import type { FederationOptions, ProviderSettings } from './settings.ts';

/** A provider that takes longer is away. Milliseconds per request. */
const defaultTimeoutMilliseconds = 5_000;

/** The configured providers. Nothing is read from them before somebody signs in. */
export function federation(
  settings: readonly ProviderSettings[],
  { callbackUrl, timeoutMilliseconds = defaultTimeoutMilliseconds, clock = () => performance.now() }: FederationOptions,
): SignInProviders {
  const reach = { timeoutMilliseconds, clock };
  const providers = new Map(settings.map((each) => [each.id, providerOf(each, reach)]));
  const provider = (id: ProviderId): Provider => {
    const known = providers.get(id);
    if (known === undefined) throw new Error('There is no provider with this id.');
    return known;
  };
  return {
    all: settings.map(shownOf),
    authorizationUrl: (id, secrets) =>
      ResultAsync.fromPromise(provider(id).authorizationUrl(secrets, callbackUrl(id)), (failure) =>
        // The flow has not begun, so whatever is wrong, the provider cannot be used.
        providerUnavailable(unavailability(failure) ?? unusable(failure)),
      ),
    attest: (id, answer, secrets) =>
      ResultAsync.fromPromise(provider(id).attest(answer, secrets, callbackUrl(id)), refusalOf),
    redeem: (id, grant) => ResultAsync.fromPromise(provider(id).redeem(grant), refusalOf),
  };
}

const providerOf = (settings: ProviderSettings, reach: Parameters<typeof openIdProvider>[1]): Provider =>
  settings.kind === 'github' ? githubProvider(settings, reach) : openIdProvider(settings, reach);

const shownOf = ({ id, name, domains, redirectUris = [] }: ProviderSettings): SignInProvider => ({
  id: ProviderId.parse(id),
  name,
  domains: domains?.map((domain) => domain.toLowerCase()),
  redirectUris,
});

const unusable = (failure: unknown): string => {
  const refusal = refusalOf(failure);
  return refusal.reason;
};

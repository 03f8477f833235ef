import { ProviderId } from '@zonewright/core';
import { federation } from './federation.ts';
import type { FederationOptions, ProviderSettings } from './settings.ts';

/** No flow goes on with these. */
const unusedSecrets = { state: 'unused', nonce: 'unused', codeVerifier: 'unused' };

/**
 * Why nobody could begin to sign in by some of the providers at the moment: one line each. Whether a provider accepts the
 * client id and its secret is known only once somebody signs in.
 */
export async function providerProblems(
  settings: readonly ProviderSettings[],
  options: FederationOptions,
): Promise<readonly string[]> {
  const providers = federation(settings, options);
  const problems = await Promise.all(
    settings.map(async ({ id, issuer }) => {
      const begun = await providers.authorizationUrl(ProviderId.parse(id), unusedSecrets);
      return begun.isOk() ? [] : [`The provider "${id}" cannot be used: ${issuer}: ${begun.error.reason}`];
    }),
  );
  return problems.flat();
}

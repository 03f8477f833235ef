import type { Attestation, AuthorizationAnswer, CodeGrant, FlowSecrets } from '@zonewright/core';

/** One provider, of any kind. Failures are rejections, which `refusalOf` understands. */
export interface Provider {
  authorizationUrl(secrets: FlowSecrets, redirectUri: string): Promise<string>;
  attest(answer: AuthorizationAnswer, secrets: FlowSecrets, redirectUri: string): Promise<Attestation>;
  redeem(grant: CodeGrant): Promise<Attestation>;
}

/** The address that a browser came back to, as far as it counts. */
export function returnedTo(redirectUri: string, { code, state, iss, error }: AuthorizationAnswer): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ code, state, iss, error })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

import { type Attestation, Email } from '@zonewright/core';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
} from 'openid-client';
import { z } from 'zod';
import { isInsecure, type Reach } from './connection.ts';
import { limitedFetch } from './limited-fetch.ts';
import { type Provider, returnedTo } from './provider.ts';
import { Absence, Refusal } from './refusals.ts';
import type { ProviderSettings } from './settings.ts';

const usualScopes = ['read:user', 'user:email'];

const User = z.object({ id: z.int().positive(), name: z.string().nullish() });
const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * GitHub, which is no OpenID provider: OAuth 2.0 with PKCE and `state`. Who somebody is and their addresses come from its
 * API; the primary address counts, if it is verified.
 */
export function githubProvider(settings: ProviderSettings, reach: Reach): Provider {
  const configuration = configurationOf(settings, reach);
  const attested = async (url: URL, codeVerifier: string, expectedState: string | undefined) => {
    const checks = { pkceCodeVerifier: codeVerifier, ...(expectedState === undefined ? {} : { expectedState }) };
    const { access_token: token } = await authorizationCodeGrant(configuration, url, checks);
    return attestationOf(settings, configuration, token);
  };
  return {
    authorizationUrl: async ({ state, codeVerifier }, redirectUri) =>
      buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: (settings.scopes ?? usualScopes).join(' '),
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).href,
    attest: (answer, { state, codeVerifier }, redirectUri) =>
      attested(returnedTo(redirectUri, answer), codeVerifier, state),
    redeem: ({ code, codeVerifier, redirectUri }) =>
      attested(returnedTo(redirectUri, { code }), codeVerifier, undefined),
  };
}

function configurationOf(settings: ProviderSettings, { timeoutMilliseconds }: Reach): Configuration {
  const { issuer, clientId, clientSecret } = settings;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
  };
  const configuration = new Configuration(metadata, clientId, clientSecret);
  configuration[customFetch] = limitedFetch;
  configuration.timeout = timeoutMilliseconds / 1000;
  if (isInsecure(settings)) allowInsecureRequests(configuration);
  return configuration;
}

async function attestationOf(
  { issuer }: ProviderSettings,
  configuration: Configuration,
  token: string,
): Promise<Attestation> {
  const read = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> => {
    const response = await fetchProtectedResource(configuration, token, new URL(apiOf(issuer) + path), 'GET');
    if (response.status >= 500) throw new Absence(`status ${response.status}`);
    if (response.status !== 200) throw new Refusal(`GitHub answers ${path} with ${response.status}`);
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success) throw new Refusal(`GitHub answers ${path} with something else`);
    return parsed.data;
  };
  const { id, name } = await read('/user', User);
  // As many as a page can have: there are 30 without asking.
  const addresses = await read('/user/emails?per_page=100', Addresses);
  const address = addresses.find(({ primary, verified }) => primary && verified);
  return {
    issuer,
    subject: String(id),
    email: Email.safeParse(address?.email).data,
    fullName: name ?? undefined,
    isMultiFactor: false,
  };
}

/** Installations of one's own have the API below their address. */
const apiOf = (issuer: string): string =>
  issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;

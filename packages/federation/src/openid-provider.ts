import { type Attestation, Email } from '@zonewright/core';
import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type IDToken,
  type UserInfoResponse,
} from 'openid-client';
import { OpenIdConnection, type Reach } from './connection.ts';
import { type Provider, returnedTo } from './provider.ts';
import { Refusal } from './refusals.ts';
import type { ProviderSettings } from './settings.ts';

const usualScopes = ['openid', 'email', 'profile'];

/** An OpenID provider: code flow with PKCE, `state` and `nonce` (OpenID Connect Core section 3.1). */
export function openIdProvider(settings: ProviderSettings, reach: Reach): Provider {
  const connection = new OpenIdConnection(settings, reach);
  const attested = (url: (configuration: Configuration) => URL, checks: AuthorizationCodeGrantChecks) =>
    connection.exchange(async (configuration) => {
      const tokens = await authorizationCodeGrant(configuration, url(configuration), checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new Refusal('there is no ID token');
      const more = needsUserInfo(configuration, claims)
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : undefined;
      return attestationOf(settings, configuration, claims, more);
    });
  return {
    authorizationUrl: ({ state, nonce, codeVerifier }, redirectUri) =>
      connection.exchange(async (configuration) => {
        const { scopes = usualScopes, acrValues = [] } = settings;
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(acrValues.length === 0 ? {} : { acr_values: acrValues.join(' ') }),
        });
        return url.href;
      }),
    attest: (answer, { state, nonce, codeVerifier }, redirectUri) =>
      attested(() => returnedTo(redirectUri, answer), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
      }),
    // The program has seen the answer and not us; the nonce ties the token to its flow.
    redeem: ({ code, codeVerifier, redirectUri, nonce }) =>
      attested((configuration) => returnedTo(redirectUri, { code, iss: issuerOf(configuration) }), {
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
      }),
  };
}

const issuerOf = (configuration: Configuration): string => configuration.serverMetadata().issuer;

/** Addresses may be in the userinfo alone (OpenID Connect Core section 5.4). */
const needsUserInfo = (configuration: Configuration, { email, email_verified: verified }: IDToken): boolean =>
  configuration.serverMetadata().userinfo_endpoint !== undefined && (email === undefined || verified === undefined);

function attestationOf(
  settings: ProviderSettings,
  configuration: Configuration,
  claims: IDToken,
  more: UserInfoResponse | undefined,
): Attestation {
  const { sub: subject } = claims;
  if (!/^[!-~]{1,255}$/.test(subject)) throw new Refusal('sub is not 1 to 255 visible ASCII characters');
  const all = { ...more, ...claims };
  return {
    issuer: issuerOf(configuration),
    subject,
    // Of one source: an address of the ID token is not verified by what the userinfo says of another.
    email: verifiedIn(claims) ?? (more && verifiedIn(more)),
    givenName: textOf(all['given_name']),
    familyName: textOf(all['family_name']),
    fullName: textOf(all['name']),
    isMultiFactor: isMultiFactor(settings, claims),
  };
}

/** Some providers send the boolean as text. */
const verifiedIn = (claims: Readonly<Record<string, unknown>>): Email | undefined =>
  claims['email_verified'] === true || claims['email_verified'] === 'true'
    ? Email.safeParse(claims['email']).data
    : undefined;

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined);

function isMultiFactor({ trustMfa, acrValues = [] }: ProviderSettings, { amr, acr }: IDToken): boolean {
  if (trustMfa !== true) return false;
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && acrValues.includes(acr));
}

import { always, type Recipes } from './recipe.ts';

const id = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const token = 'x'.repeat(43);
const codeVerifier = 'v'.repeat(43);
const redirectUri = 'https://app.example.com/callback';

/** What a passkey would send, with a signature that is wrong. */
const response = {
  id: token,
  rawId: token,
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: token, authenticatorData: token, signature: token, attestationObject: token },
};

const providerRecipes: Recipes = {
  'GET /api/auth/providers': always(() => ({ path: '/api/auth/providers' })),
  'GET /api/auth/providers/:id/start': always(() => ({ path: '/api/auth/providers/corp/start?returnTo=/' })),
  'GET /api/auth/providers/:id/callback': always(() => ({
    path: `/api/auth/providers/corp/callback?code=${token}&state=${token}`,
  })),
  'POST /api/auth/providers/:id/token': always(() => ({
    path: '/api/auth/providers/corp/token',
    body: { code: token, codeVerifier, redirectUri, nonce: token },
  })),
  'GET /api/users/me/providers': always(() => ({ path: '/api/users/me/providers' })),
  'POST /api/users/me/providers/:id/start': always(() => ({ path: '/api/users/me/providers/corp/start', body: {} })),
  'DELETE /api/users/me/providers/:id': always(() => ({ path: `/api/users/me/providers/${id}` })),
};

const passkeyRecipes: Recipes = {
  'POST /api/auth/passkey/options': always(() => ({ path: '/api/auth/passkey/options' })),
  'POST /api/auth/passkey': always(() => ({ path: '/api/auth/passkey', body: { response } })),
  'POST /api/auth/2fa/options': always(() => ({ path: '/api/auth/2fa/options', body: { challengeToken: token } })),
  'POST /api/auth/confirm/options': always(() => ({ path: '/api/auth/confirm/options' })),
  'GET /api/users/me/passkeys': always(() => ({ path: '/api/users/me/passkeys' })),
  'POST /api/users/me/passkeys/options': always(() => ({ path: '/api/users/me/passkeys/options' })),
  'POST /api/users/me/passkeys': always(() => ({ path: '/api/users/me/passkeys', body: { name: 'Key', response } })),
  'PATCH /api/users/me/passkeys/:id': always(() => ({ path: `/api/users/me/passkeys/${id}`, body: { name: 'Key' } })),
  'DELETE /api/users/me/passkeys/:id': always(() => ({ path: `/api/users/me/passkeys/${id}` })),
};

/** What floods the routes of providers and passkeys; nobody has any here. */
export const identityRecipes: Recipes = { ...providerRecipes, ...passkeyRecipes };

import { post, send } from '../api.js';

/** Credential header fields. Kept in memory only. */
let credentials = /** @type {Record<string, string>} */ ({});
let refreshToken = '';

/** @param {import('../sign-in.js').Tokens} tokens */
export function useSession(tokens) {
  credentials = { Authorization: `Bearer ${tokens.token}` };
  refreshToken = tokens.refreshToken;
}

/** @param {string} token */
export function useApiToken(token) {
  credentials = { 'X-API-TOKEN': token };
  refreshToken = '';
}

/** Ends the session; not awaited. */
export function signOut() {
  if (refreshToken !== '') void send('POST', 'auth/logout', credentials, {});
  credentials = {};
  refreshToken = '';
}

/**
 * The renewal in progress, shared by all requests that wait for it: a refresh token that is presented twice counts as
 * stolen, and ends all sessions of the user.
 * @type {Promise<boolean> | undefined}
 */
let renewal;

/** Renews the session; resolves to whether it has a new access token. */
async function renew() {
  const presented = refreshToken;
  const answer = await post('auth/refresh', { refreshToken: presented });
  // The user may have signed out or in meanwhile.
  if (answer.ok && refreshToken === presented) useSession(answer.body);
  return answer.ok;
}

/**
 * Sends an authenticated request. If its access token has expired, renews the session and sends it once more.
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 */
export async function ask(method, path, body, headers = {}) {
  const used = credentials;
  const answer = await send(method, path, { ...used, ...headers }, body);
  if (answer.status !== 401 || refreshToken === '') return answer;
  // Unless another request has renewed the session since this one was sent.
  if (used === credentials) {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    if (!(await renewal)) return answer;
  }
  return send(method, path, { ...credentials, ...headers }, body);
}

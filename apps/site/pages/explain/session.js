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
 * Sends an authenticated request. Refreshes the session once if its access token has expired.
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 */
export async function ask(method, path, body, headers = {}) {
  const answer = await send(method, path, { ...credentials, ...headers }, body);
  if (answer.status !== 401 || refreshToken === '') return answer;
  const renewed = await post('auth/refresh', { refreshToken });
  if (!renewed.ok) return answer;
  useSession(renewed.body);
  return send(method, path, { ...credentials, ...headers }, body);
}

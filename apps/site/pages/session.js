import { failureOf, isProblem, send } from './api.js';

/** @typedef {import('./api.js').Answer} Answer */

/** Kept in memory only; '' means that the session of the browser is the credential. */
let apiToken = '';

/** @param {string} token */
export function useApiToken(token) {
  apiToken = token;
}

/**
 * Sends a request with the session of the browser, whose tokens are in cookies that no script can read.
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {object} [body]
 */
export const sendWithCookies = (method, path, body) => send(method, path, body, { cookies: true });

/**
 * Sends an authenticated request. If the access token has expired, renews the session and sends it once more.
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Answer>}
 */
export async function ask(method, path, body, headers = {}) {
  if (apiToken !== '') return send(method, path, body, { headers: { ...headers, 'X-API-TOKEN': apiToken } });
  const attempt = () => send(method, path, body, { headers, cookies: true });
  const answer = await attempt();
  return isSignedOut(answer) ? renewed(answer, attempt) : answer;
}

/**
 * Whether the request had no valid session.
 * @param {Answer} answer
 */
export const isSignedOut = (answer) => answer.status === 401 && isProblem(answer, 'unauthenticated');

/**
 * Renews the session and sends the request again. One request of all tabs at a time: a refresh token that is presented
 * twice counts as stolen, and ends all sessions of the user.
 * @param {Answer} refused
 * @param {() => Promise<Answer>} attempt
 */
async function renewed(refused, attempt) {
  // Browsers have no locks on insecure origins, and accept no cookies of sessions there.
  if (!('locks' in navigator)) return refused;
  return navigator.locks.request('session', async () => {
    const again = await attempt();
    if (!isSignedOut(again)) return again;
    const renewal = await sendWithCookies('POST', 'auth/refresh', {});
    if (renewal.ok) return attempt();
    // A session that cannot be renewed at the moment has not ended.
    return failureOf(renewal).retry === true ? renewal : again;
  });
}

/**
 * Renews the session although its access token is valid, so that the token outlasts a visit to a provider, which may take
 * ten minutes.
 */
export async function renewForVisit() {
  if (!('locks' in navigator)) return;
  await navigator.locks.request('session', () => sendWithCookies('POST', 'auth/refresh', {}));
}

/** Ends the session of the browser, or forgets the API token. */
export async function signOut() {
  if (apiToken === '') await sendWithCookies('POST', 'auth/logout', {});
  apiToken = '';
}

/** Leaves for the page to sign in, which returns here. Kept out of its URL, because servers log those. */
export function goToSignIn() {
  sessionStorage.setItem('returnTo', location.pathname + location.search + location.hash);
  location.assign('sign-in');
}

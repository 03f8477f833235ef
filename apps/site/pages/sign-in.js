import { failureOf, isProblem, post } from './api.js';
import { formOf, onSubmit, showFailure } from './form.js';
import { show } from './page.js';

/** @typedef {{ token: string, refreshToken: string }} Tokens */

/**
 * Connects the steps `sign-in` and `code` to the API; the second factor is requested if the account has one.
 * @param {object} outcomes
 * @param {(tokens: Tokens) => void} outcomes.onSession
 * @param {(email: string) => import('./api.js').Failure | void} outcomes.onInactive The address is not verified yet.
 */
export function offerSignIn({ onSession, onInactive }) {
  // Kept in memory only, never in browser storage.
  let challengeToken = '';
  const begin = (/** @type {Tokens} */ tokens) => {
    formOf('sign-in-form').reset();
    onSession(tokens);
  };
  onSubmit('sign-in-form', async (values) => {
    const answer = await post('auth/login', values);
    if (isProblem(answer, 'account-inactive')) return onInactive(values['email'] ?? '');
    if (!answer.ok) return failureOf(answer);
    if (!answer.body.mfaRequired) return begin(answer.body);
    challengeToken = answer.body.challengeToken;
    formOf('code-form').reset();
    show('code');
  });
  onSubmit('code-form', async ({ code }) => {
    const answer = await post('auth/2fa', { code, challengeToken });
    if (isProblem(answer, 'invalid-challenge')) return signInAgain('That took too long. Please sign in again.');
    if (isProblem(answer, 'invalid-verification-code')) return { message: '', fields: { code: answer.body.detail } };
    if (!answer.ok) return failureOf(answer);
    begin(answer.body);
  });
}

/** @param {string} reason */
export function signInAgain(reason) {
  show('sign-in');
  showFailure(formOf('sign-in-form'), { message: reason, fields: {} });
}

import { failureOf, isProblem, isTokenRefused, post } from './api.js';
import { element } from './element.js';
import { onSubmit, requestMailWith } from './form.js';
import { byId, reveal, show, takeToken } from './page.js';

const token = takeToken();

onSubmit('choose-form', async ({ password, repetition }) => {
  if (password !== repetition) return { message: '', fields: { repetition: 'The passwords do not match.' } };
  const revokeApiTokens = /** @type {HTMLInputElement} */ (byId('choose-tokens')).checked;
  const answer = await post('auth/reset-password', { token, password, revokeApiTokens });
  // The account may have been deleted.
  if (isTokenRefused(answer) || isProblem(answer, 'not-found')) return show('refused');
  if (!answer.ok) return failureOf(answer);
  showRest(answer.body);
  show('changed');
});
requestMailWith('forgot-form', 'auth/forgot-password', 'sent');

/**
 * What the reset has removed besides, and what it has left.
 * @param {{ apiTokens: string[], twoFactorDisabled: boolean }} outcome
 */
function showRest({ apiTokens, twoFactorDisabled }) {
  byId('factor-removed').hidden = !twoFactorDisabled;
  byId('tokens-left').hidden = apiTokens.length === 0;
  byId('token-names').replaceChildren(...apiTokens.map((name) => element('li', {}, name)));
}

if (token === '') show('refused');
else reveal('choose');

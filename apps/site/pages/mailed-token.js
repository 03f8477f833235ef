import { failureOf, isTokenRefused, post } from './api.js';
import { onSubmit } from './form.js';
import { reveal, show, takeToken } from './page.js';

/**
 * Redeems the token of the link when the button of the page is pressed. Only a click redeems it: mail scanners visit
 * links too.
 * @param {string} path The endpoint that redeems it.
 */
export function redeemTokenAt(path) {
  const token = takeToken();
  onSubmit('confirm-form', async () => {
    const answer = await post(path, { token });
    if (isTokenRefused(answer)) return show('refused');
    if (!answer.ok) return failureOf(answer);
    show('confirmed');
  });
  if (token === '') show('refused');
  else reveal('confirm');
}

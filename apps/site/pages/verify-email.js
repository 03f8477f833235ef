import { failureOf, isTokenRefused, post } from './api.js';
import { onSubmit, requestMailWith } from './form.js';
import { reveal, show, takeToken } from './page.js';

const token = takeToken();

// Only a click redeems the token: mail scanners visit links too.
onSubmit('confirm-form', async () => {
  const answer = await post('auth/verify-email', { token });
  if (isTokenRefused(answer)) return show('refused');
  if (!answer.ok) return failureOf(answer);
  show('confirmed');
});
requestMailWith('resend-form', 'auth/resend-verification', 'sent');

if (token === '') show('refused');
else reveal('confirm');

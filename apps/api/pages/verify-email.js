import { failureOf, isTokenRefused, post } from './api.js';
import { onSubmit, requestMailWith } from './form.js';
import { reveal, show, takeToken } from './page.js';

const token = takeToken();

// A click, not the visit, spends the token: programs that look at the links in mails visit them, too.
onSubmit('confirm-form', async () => {
  const answer = await post('auth/verify-email', { token });
  if (isTokenRefused(answer)) return show('refused');
  if (!answer.ok) return failureOf(answer);
  show('confirmed');
});
requestMailWith('resend-form', 'auth/resend-verification', 'sent');

if (token === '') show('refused');
else reveal('confirm');

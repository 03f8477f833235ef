import { failureOf, isTokenRefused, post } from './api.js';
import { onSubmit } from './form.js';
import { reveal, show, takeToken } from './page.js';

const token = takeToken();

// Only a click redeems the token: mail scanners visit links too.
onSubmit('confirm-form', async () => {
  const answer = await post('auth/undo-email', { token });
  if (isTokenRefused(answer)) return show('refused');
  if (!answer.ok) return failureOf(answer);
  show('confirmed');
});

if (token === '') show('refused');
else reveal('confirm');

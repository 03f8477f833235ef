import { failureOf, isProblem, isTokenRefused, post } from './api.js';
import { onSubmit, requestMailWith } from './form.js';
import { reveal, show, takeToken } from './page.js';

const token = takeToken();

onSubmit('choose-form', async ({ password, repetition }) => {
  if (password !== repetition) return { message: '', fields: { repetition: 'The passwords do not match.' } };
  const answer = await post('auth/reset-password', { token, password });
  // The account may have been deleted.
  if (isTokenRefused(answer) || isProblem(answer, 'not-found')) return show('refused');
  if (!answer.ok) return failureOf(answer);
  show('changed');
});
requestMailWith('forgot-form', 'auth/forgot-password', 'sent');

if (token === '') show('refused');
else reveal('choose');

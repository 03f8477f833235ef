import { failureOf, isProblem, isTokenRefused, post } from './api.js';
import { formOf, onSubmit, tell } from './form.js';
import { leadTo, reveal, show, takeToken } from './page.js';

const token = takeToken();
// Live as long as this page: nothing is kept in the browser.
let email = '';
let challengeToken = '';
let accessToken = '';

onSubmit('sign-in-form', async (values) => {
  email = values['email'] ?? '';
  const answer = await post('auth/login', values);
  if (isProblem(answer, 'account-inactive')) return show('unconfirmed');
  if (!answer.ok) return failureOf(answer);
  if (!answer.body.mfaRequired) return acceptWith(answer.body.token);
  challengeToken = answer.body.challengeToken;
  formOf('code-form').reset();
  show('code');
});

onSubmit('code-form', async ({ code }) => {
  const answer = await post('auth/2fa', { code, challengeToken });
  if (isProblem(answer, 'invalid-challenge')) return signInAgain('That took too long. Please sign in again.');
  if (isProblem(answer, 'invalid-verification-code')) return { message: '', fields: { code: answer.body.detail } };
  if (!answer.ok) return failureOf(answer);
  acceptWith(answer.body.token);
});

onSubmit('accept-form', async () => {
  const answer = await post('invitations/accept', { token }, accessToken);
  if (answer.status === 401) return signInAgain('That took too long. Please sign in again.');
  const outcome = outcomeOf(answer);
  if (outcome === undefined) return failureOf(answer);
  endSession();
  show(outcome);
});

onSubmit('register-form', async (values) => {
  const answer = await post('auth/register', values);
  if (answer.status === 409) return failed(`${answer.body.detail} If you have an account already, sign in instead.`);
  if (!answer.ok) return failureOf(answer);
  email = values['email'] ?? '';
  formOf('register-form').reset();
  show('registered');
});

onSubmit('unconfirmed-form', async () => {
  const answer = await post('auth/resend-verification', { email });
  if (!answer.ok) return failureOf(answer);
  show('registered');
});

leadTo('to-register', 'register');
for (const button of ['to-sign-in', 'registered-sign-in', 'unconfirmed-sign-in', 'for-another-sign-in']) {
  leadTo(button, 'sign-in');
}

if (token === '') show('refused');
else reveal('sign-in');

/** @param {string} session The access token of whoever signed in. */
function acceptWith(session) {
  accessToken = session;
  formOf('sign-in-form').reset();
  show('accept');
  formOf('accept-form').requestSubmit();
}

/**
 * The step that the answer leads to, if it settles the matter.
 * @param {import('./api.js').Answer} answer
 */
function outcomeOf(answer) {
  if (answer.ok) return 'accepted';
  if (isTokenRefused(answer)) return 'refused';
  return isProblem(answer, 'invitation-for-another') ? 'for-another' : undefined;
}

/** Whoever came to accept an invitation did not come to stay signed in. Nobody waits for it: the session dies anyway. */
function endSession() {
  void post('auth/logout', {}, accessToken);
  accessToken = '';
}

/** @param {string} reason */
function signInAgain(reason) {
  show('sign-in');
  tell(formOf('sign-in-form'), failed(reason));
}

/** @param {string} message */
const failed = (message) => ({ message, fields: {} });

import { failureOf, isProblem, isTokenRefused, post } from './api.js';
import { formOf, onSubmit } from './form.js';
import { linkButtonTo, reveal, show, takeToken } from './page.js';
import { offerSignIn, signInAgain } from './sign-in.js';

const token = takeToken();
// Kept in memory only, never in browser storage.
let email = '';
let accessToken = '';

offerSignIn({
  onSession: (session) => acceptWith(session.token),
  onInactive: (address) => {
    email = address;
    show('unconfirmed');
  },
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
  if (answer.status === 409) {
    return { message: `${answer.body.detail} If you have an account already, sign in instead.`, fields: {} };
  }
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

linkButtonTo('to-register', 'register');
for (const button of ['to-sign-in', 'registered-sign-in', 'unconfirmed-sign-in', 'for-another-sign-in']) {
  linkButtonTo(button, 'sign-in');
}

if (token === '') show('refused');
else reveal('sign-in');

/** @param {string} session The user's access token. */
function acceptWith(session) {
  accessToken = session;
  show('accept');
  formOf('accept-form').requestSubmit();
}

/**
 * The step to show if the response settles the matter.
 * @param {import('./api.js').Answer} answer
 */
function outcomeOf(answer) {
  if (answer.ok) return 'accepted';
  if (isTokenRefused(answer)) return 'refused';
  return isProblem(answer, 'invitation-for-another') ? 'for-another' : undefined;
}

/** Signs out, because the user only came to accept an invitation. Not awaited: the session expires anyway. */
function endSession() {
  void post('auth/logout', {}, accessToken);
  accessToken = '';
}

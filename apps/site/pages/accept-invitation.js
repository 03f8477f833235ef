import { failureOf, isProblem, isTokenRefused } from './api.js';
import { formOf, onPress, onSubmit } from './form.js';
import { byId, reveal, show, takeToken } from './page.js';
import { ask, goToSignIn, isSignedOut, signOut } from './session.js';

/** Where the token of the link is while the visitor signs in: this tab only. */
const place = 'invitation';
const waiting = sessionStorage.getItem(place);
sessionStorage.removeItem(place);

const linked = takeToken();
const token = linked || (waiting ?? '');

// Only a click accepts the invitation: mail scanners visit links too.
onSubmit('accept-form', async () => {
  const answer = await ask('POST', 'invitations/accept', { token });
  if (isSignedOut(answer)) return signInFirst();
  const outcome = outcomeOf(answer);
  if (outcome === undefined) return failureOf(answer);
  show(outcome);
});

onPress(byId('other-account'), async () => {
  await signOut();
  signInFirst();
});

if (token === '') show('refused');
else reveal('start');
if (linked === '' && waiting !== null) formOf('accept-form').requestSubmit();

function signInFirst() {
  sessionStorage.setItem(place, token);
  goToSignIn();
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

import { failureOf, isProblem, post } from './api.js';
import { element } from './element.js';
import { formOf, onPress, onSubmit, requestMailWith, showFailure } from './form.js';
import { byId, linkButtonTo, reveal, show } from './page.js';
import { answerWithPasskey, fillsInPasskeys, hasPasskeys } from './passkey.js';
import { destinationOf } from './return-to.js';
import { ask, isSignedOut, sendWithCookies, signOut } from './session.js';
import { textOf } from './sign-in-problems.js';

/** @typedef {import('./api.js').Answer} Answer */
/** @typedef {import('./api.js').Failure} Failure */

const tooLate = 'That took too long. Please sign in again.';
const notKept = 'Your browser has not kept the session. It does so over HTTPS only, and if cookies are allowed.';

const asked = new URLSearchParams(location.hash.slice(1));
const wanted = new URLSearchParams(location.search).get('returnTo');
if (wanted !== null) sessionStorage.setItem('returnTo', wanted);
history.replaceState(null, '', location.pathname);
addEventListener('hashchange', () => location.reload());

/** The account to send another link to. */
let email = '';
/** Calls off the passkey that the browser offers while it fills in the address. */
let offer = new AbortController();

/** @param {Answer} answer */
async function proceed(answer) {
  // Without an address there is none to confirm: the operator has blocked the account of a passkey or a provider.
  if (isProblem(answer, 'account-inactive')) return email === '' ? failed(textOf('inactive')) : show('inactive');
  if (!answer.ok) return failureOf(answer);
  if (answer.body.mfaRequired) return askForSecondFactor(answer.body.methods ?? ['code']);
  const { ok } = await ask('GET', 'users/me');
  if (!ok) return failed(notKept);
  leave();
}

/** @param {string} message */
const failed = (message) => ({ message, fields: {} });

/** Goes to where the visitor came from. */
function leave() {
  const path = sessionStorage.getItem('returnTo');
  sessionStorage.removeItem('returnTo');
  location.replace(destinationOf(path, location.href) ?? 'profile');
}

/** @param {readonly string[]} methods */
function askForSecondFactor(methods) {
  offer.abort();
  const byPasskey = methods.includes('passkey') && hasPasskeys();
  const byCode = methods.includes('code') || !byPasskey;
  formOf('code-form').reset();
  formOf('code-form').hidden = !byCode;
  formOf('code-passkey-form').hidden = !byPasskey;
  show('code');
}

function beginAgain() {
  show('sign-in');
  void offerPasskeys();
}

/** @param {string} reason */
function signInAgain(reason) {
  beginAgain();
  showFailure(formOf('sign-in-form'), failed(reason));
}

/** @param {Answer} answer */
async function proceedFromChallenge(answer) {
  if (isProblem(answer, 'invalid-challenge')) return signInAgain(tooLate);
  if (isProblem(answer, 'invalid-verification-code')) return { message: '', fields: { code: answer.body.detail } };
  return proceed(answer);
}

/** Lists passkeys where the browser fills in the address, until one is used or another way chosen. */
async function offerPasskeys() {
  if (!(await fillsInPasskeys())) return;
  offer.abort();
  offer = new AbortController();
  const how = { mediation: /** @type {const} */ ('conditional'), signal: offer.signal };
  const failure = await answerWithPasskey({ options: 'auth/passkey/options', path: 'auth/passkey', how }, proceed);
  if (failure) showFailure(formOf('passkey-form'), failure);
}

/** Offers to sign in by each provider that the operator has configured. */
async function offerProviders() {
  const { ok, body } = await sendWithCookies('GET', 'auth/providers');
  if (!ok) return;
  const links = /** @type {{ id: string, name: string }[]} */ (body).map(({ id, name }) => {
    const query = new URLSearchParams({ returnTo: location.pathname });
    return element(
      'a',
      { class: 'button second', href: `api/auth/providers/${id}/start?${query}` },
      `Sign in with ${name}`,
    );
  });
  byId('providers').replaceChildren(...links);
}

onSubmit('sign-in-form', async (values) => {
  email = values['email'] ?? '';
  return proceed(await sendWithCookies('POST', 'auth/login', values));
});

onSubmit('passkey-form', async () => {
  offer.abort();
  return answerWithPasskey({ options: 'auth/passkey/options', path: 'auth/passkey' }, proceed);
});

onSubmit('code-form', async ({ code }) => proceedFromChallenge(await sendWithCookies('POST', 'auth/2fa', { code })));

onSubmit('code-passkey-form', () =>
  answerWithPasskey({ options: 'auth/2fa/options', path: 'auth/2fa' }, proceedFromChallenge),
);

onSubmit('register-form', async (values) => {
  const answer = await post('auth/register', values);
  if (answer.status === 409) {
    return { message: `${answer.body.detail} If you have an account already, sign in instead.`, fields: {} };
  }
  if (!answer.ok) return failureOf(answer);
  formOf('register-form').reset();
  show('registered');
});

onSubmit('inactive-form', async () => {
  const answer = await post('auth/resend-verification', { email });
  if (!answer.ok) return failureOf(answer);
  show('registered');
});

requestMailWith('forgot-form', 'auth/forgot-password', 'sent');
linkButtonTo('to-register', 'register');
linkButtonTo('to-forgot', 'forgot');
for (const step of ['register', 'registered', 'inactive', 'forgot', 'sent']) {
  linkButtonTo(`${step}-sign-in`, 'sign-in');
}
onPress(byId('continue'), leave);
onPress(byId('code-sign-in'), beginAgain);
onPress(byId('sign-out'), async () => {
  await signOut();
  beginAgain();
});

/** Shows what the visitor has come for. */
async function begin() {
  void offerProviders();
  formOf('passkey-form').hidden = !hasPasskeys();
  if (asked.has('challenge')) return askForSecondFactor(['code', 'passkey']);
  const problem = asked.get('problem');
  const session = await ask('GET', 'users/me');
  if (problem === null) return session.ok ? leave() : beginWithout(session);
  if (!session.ok) return signInAgain(textOf(problem));
  byId('problem-text').textContent = textOf(problem);
  show('problem');
}

/** @param {Answer} session Why there is none. */
function beginWithout(session) {
  reveal('sign-in');
  void offerPasskeys();
  if (!isSignedOut(session)) showFailure(formOf('sign-in-form'), failureOf(session));
}

void begin();

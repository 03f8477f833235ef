import { failureOf } from '../api.js';
import { onPress } from '../form.js';
import { byId } from '../page.js';
import { ask, goToSignIn, isSignedOut, signOut } from '../session.js';
import { offerAccountLog } from './account-log.js';
import { offerAddressChange } from './address.js';
import { offerApiTokens } from './api-tokens.js';
import { offerPasskeys } from './passkeys.js';
import { offerPassword } from './password.js';
import { offerProviders } from './providers.js';
import { offerSessions } from './sessions.js';
import { offerTwoFactor } from './two-factor.js';

onPress(byId('sign-out'), async () => {
  await signOut();
  location.assign('sign-in');
});

const answer = await ask('GET', 'users/me');
if (isSignedOut(answer)) goToSignIn();
else if (answer.ok) begin(answer.body);
else {
  byId('unread').hidden = false;
  byId('unread-reason').textContent = failureOf(answer).message;
}

/** @param {import('./profile.d.ts').Profile} profile */
function begin(profile) {
  byId('name').textContent = `${profile.firstName} ${profile.lastName}`;
  byId('whole').hidden = false;
  offerAddressChange(profile);
  offerPassword(profile);
  offerPasskeys();
  offerTwoFactor(profile);
  void offerProviders();
  offerSessions();
  offerApiTokens();
  offerAccountLog();
  byId(location.hash.slice(1))?.scrollIntoView();
}

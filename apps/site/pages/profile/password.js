import { failureOf, isProblem } from '../api.js';
import { announce, formOf, onSubmit } from '../form.js';
import { byId } from '../page.js';
import { askConfirmed } from './confirmation.js';
import { showSessions } from './sessions.js';

/** An account that signs in by a provider has none: its first password needs no current one. */
let hasPassword = true;

/** @param {import('./profile.d.ts').Profile} profile */
export function offerPassword(profile) {
  showWhether(profile.hasPassword);
  onSubmit('password-form', async ({ currentPassword, newPassword, repetition }) => {
    if (hasPassword && currentPassword === '')
      return { message: '', fields: { currentPassword: 'This field is required.' } };
    if (newPassword !== repetition) return { message: '', fields: { repetition: 'The passwords do not match.' } };
    const body = hasPassword ? { currentPassword, newPassword } : { newPassword };
    const answer = await askConfirmed('POST', 'users/me/password', body);
    if (isProblem(answer, 'wrong-current-password')) {
      return { message: '', fields: { currentPassword: answer.body.detail } };
    }
    if (!answer.ok) return failureOf(answer);
    formOf('password-form').reset();
    showWhether(true);
    byId('password-changed').hidden = false;
    announce(answer.body.message);
    void showSessions();
  });
}

/** @param {boolean} has */
function showWhether(has) {
  hasPassword = has;
  byId('password-none').hidden = has;
  byId('password-current').hidden = !has;
}

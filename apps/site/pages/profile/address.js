import { failureOf } from '../api.js';
import { announce, formOf, onSubmit } from '../form.js';
import { byId } from '../page.js';
import { askConfirmed } from './confirmation.js';

/** @param {import('./profile.d.ts').Profile} profile */
export function offerAddressChange({ email }) {
  byId('address-now').textContent = email;
  onSubmit('address-form', async (values) => {
    const answer = await askConfirmed('POST', 'users/me/email', values);
    if (!answer.ok) return failureOf(answer);
    formOf('address-form').reset();
    announce(answer.body.message);
    byId('address-sent').textContent = answer.body.message;
    byId('address-sent').hidden = false;
  });
}

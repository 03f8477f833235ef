import { failureOf } from '../api.js';
import { formOf, onSubmit } from '../form.js';
import { byId } from '../page.js';
import { hasPasskeys, newPasskey } from '../passkey.js';
import { ask } from '../session.js';
import { askConfirmed } from './confirmation.js';
import { actionButton, finalButton, report, showList, thing, timeOf, useOf } from './things.js';

const path = 'users/me/passkeys';

/** The passkey that is being renamed, or ''. */
let renamed = '';

export function offerPasskeys() {
  formOf('passkey-form').hidden = !hasPasskeys();
  onSubmit('passkey-form', async ({ name }) => {
    const options = await askConfirmed('POST', `${path}/options`);
    if (!options.ok) return failureOf(options);
    const response = await newPasskey(options.body);
    if ('message' in response) return response;
    const answer = await askConfirmed('POST', path, { name, response });
    if (!answer.ok) return failureOf(answer);
    formOf('passkey-form').reset();
    await showPasskeys();
    report('passkeys', answer, 'The passkey was added.');
  });
  onSubmit('rename-form', async ({ name }) => {
    const answer = await ask(
      'PATCH',
      `${path}/${renamed}`,
      { name },
      { 'Content-Type': 'application/merge-patch+json' },
    );
    if (!answer.ok) return failureOf(answer);
    formOf('rename-form').hidden = true;
    await showPasskeys();
    report('passkeys', answer, 'The passkey has a new name.');
  });
  void showPasskeys();
}

const showPasskeys = () => showList('passkey-list', path, itemOf, 'You have no passkey yet.');

/** @param {import('./profile.d.ts').Passkey} passkey */
function itemOf({ id, name, createdAt, lastUsedAt, backedUp }) {
  const copies = backedUp ? ' · copied to your other devices' : '';
  return thing({
    name,
    facts: ['Added ', timeOf(createdAt), ...useOf(lastUsedAt), copies],
    actions: [
      actionButton('Rename', name, () => beginToRename(id, name)),
      finalButton('Delete', name, async () => {
        const answer = await askConfirmed('DELETE', `${path}/${id}`);
        if (answer.ok) await showPasskeys();
        report('passkeys', answer, 'The passkey was deleted.');
      }),
    ],
  });
}

/**
 * @param {string} id
 * @param {string} name
 */
function beginToRename(id, name) {
  renamed = id;
  formOf('rename-form').hidden = false;
  const field = /** @type {HTMLInputElement} */ (byId('rename-name'));
  field.value = name;
  field.focus();
}

import { element } from '../element.js';
import { onPress } from '../form.js';
import { byId } from '../page.js';
import { ask, renewForVisit, sendWithCookies } from '../session.js';
import { askConfirmed } from './confirmation.js';
import { finalButton, report, showList, thing, timeOf, useOf } from './things.js';

const path = 'users/me/providers';

/** @typedef {{ id: string, name: string }} Provider */

/** Hidden where the operator has configured no provider and the account has none. */
export async function offerProviders() {
  const providers = await sendWithCookies('GET', 'auth/providers');
  const linked = await ask('GET', path);
  const isNone = (/** @type {import('../api.js').Answer} */ { ok, body }) => !ok || body.length === 0;
  byId('providers').hidden = isNone(providers) && isNone(linked);
  if (!byId('providers').hidden) await showProviders(providers.ok ? providers.body : []);
}

/** @param {readonly Provider[]} providers */
async function showProviders(providers) {
  const itemOf = (/** @type {import('./profile.d.ts').LinkedIdentity} */ identity) =>
    itemOfIdentity(identity, providers);
  const { ok, body } = await showList('provider-list', path, itemOf, 'Your account is connected to none.');
  const linked = /** @type {{ provider: string }[]} */ (ok ? body : []).map(({ provider }) => provider);
  const others = providers.filter(({ id }) => !linked.includes(id));
  byId('provider-links').replaceChildren(...others.map(linkButton));
}

/** @param {Provider} provider */
function linkButton({ id, name }) {
  const button = element('button', { type: 'button', class: 'second' }, `Connect ${name}`);
  onPress(button, async () => {
    await renewForVisit();
    const answer = await askConfirmed('POST', `${path}/${id}/start`, { returnTo: `${location.pathname}#providers` });
    if (answer.ok) location.assign(answer.body.url);
    else report('providers', answer, '');
  });
  return button;
}

/**
 * @param {import('./profile.d.ts').LinkedIdentity} identity
 * @param {readonly Provider[]} providers
 */
function itemOfIdentity({ id, name, email, connectedAt, lastUsedAt }, providers) {
  const address = email === undefined ? '' : `${email} · `;
  return thing({
    name,
    facts: [address, 'connected ', timeOf(connectedAt), ...useOf(lastUsedAt)],
    actions: [
      finalButton('Disconnect', name, async () => {
        const answer = await askConfirmed('DELETE', `${path}/${id}`);
        if (answer.ok) await showProviders(providers);
        report('providers', answer, `${name} was disconnected.`);
      }),
    ],
  });
}

import { failureOf } from '../api.js';
import { element } from '../element.js';
import { formOf, onPress, onSubmit } from '../form.js';
import { byId } from '../page.js';
import { ask } from '../session.js';
import { askConfirmed } from './confirmation.js';
import { finalButton, focusHeading, report, showList, thing, timeOf, useOf } from './things.js';
import { chosenZones, offerZones, resetZones } from './zone-choice.js';

const path = 'api-tokens';

export function offerApiTokens() {
  onSubmit('token-form', async ({ name, networks = '', expires = '' }) => {
    const answer = await askConfirmed('POST', path, {
      name,
      permissions: chosenPermissions(),
      ...(chosenZones().length === 0 ? {} : { zones: chosenZones() }),
      ...(networks === '' ? {} : { networks: networks.split(/[\s,]+/) }),
      // The end of that day, in the time zone of the visitor.
      ...(expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
    });
    if (!answer.ok) return explained(failureOf(answer));
    formOf('token-form').reset();
    resetZones();
    await showTokens();
    byId('token-value').textContent = answer.body.plainToken;
    byId('token-made').hidden = false;
    byId('token-made').focus();
  });
  offerZones();
  onPress(byId('token-done'), () => {
    byId('token-value').textContent = '';
    byId('token-made').hidden = true;
    focusHeading('tokens');
  });
  void showTokens();
}

const showTokens = () => showList('token-list', `${path}?itemsPerPage=100`, itemOf, 'You have no API tokens yet.');

const chosenPermissions = () =>
  [...byId('token-permissions').querySelectorAll('input')].filter(({ checked }) => checked).map(({ value }) => value);

/**
 * Members of the API at the fields that they come from.
 * @param {import('../api.js').Failure} failure
 */
function explained({ message, fields }) {
  const names = /** @type {Record<string, string>} */ ({ expiresAt: 'expires' });
  const named = Object.entries(fields).map(([path, text]) => {
    const member = path.replace(/[.[].*$/, '');
    return [names[member] ?? member, text];
  });
  return { message, fields: Object.fromEntries(named) };
}

/** @param {import('./profile.d.ts').ApiToken} token */
function itemOf({
  id,
  name,
  prefix,
  readOnly,
  permissions,
  zones,
  networks,
  expiresAt,
  lastUsedAt,
  lastUsedNetwork,
  active,
}) {
  const limits = [
    readOnly ? 'read only' : permissions.join(', '),
    zones === undefined ? '' : zones.length === 1 ? '1 zone' : `${zones.length} zones`,
    networks === undefined ? '' : `from ${networks.join(', ')}`,
  ].filter((each) => each !== '');
  const from = lastUsedNetwork === undefined ? '' : ` from ${lastUsedNetwork}`;
  const until = expiresAt === undefined ? [] : [' · until ', timeOf(expiresAt)];
  const revoke = finalButton('Revoke', name, async () => {
    const answer = await ask('DELETE', `${path}/${id}`);
    if (answer.ok) await showTokens();
    report('tokens', answer, 'The token was revoked.');
  });
  return thing({
    name: active ? name : `${name} (no longer valid)`,
    facts: [element('code', '', `${prefix}…`), ` · ${limits.join(' · ')}`, ...until, ...useOf(lastUsedAt), from],
    actions: active ? [revoke] : [],
  });
}

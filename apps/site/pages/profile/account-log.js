import { failureOf } from '../api.js';
import { formOf, onSubmit } from '../form.js';
import { accountActions } from './account-actions.js';
import { programOf } from './programs.js';
import { showList, thing, timeOf } from './things.js';

const step = 10;

export function offerAccountLog() {
  let shown = 0;
  const showMore = async () => {
    shown += step;
    const query = new URLSearchParams(accountActions.map((action) => ['action[]', action]));
    query.set('itemsPerPage', String(shown));
    const answer = await showList('log-list', `users/me/audit-log?${query}`, itemOf, 'Nothing has happened yet.');
    formOf('log-form').hidden = shown >= Math.min(answer.total, 100);
    return answer;
  };
  onSubmit('log-form', async () => {
    const answer = await showMore();
    if (!answer.ok) return failureOf(answer);
  });
  void showMore();
}

/** @param {import('./profile.d.ts').AccountEvent} event */
function itemOf({ at, action, network, userAgent }) {
  const from = network === undefined ? '' : ` · from ${network}`;
  return thing({
    name: wordsOf(action),
    facts: [timeOf(at), from, userAgent === undefined ? '' : ` · ${programOf(userAgent)}`],
  });
}

/**
 * The action in words: `apiToken.created` is “API token created”.
 * @param {string} action
 */
function wordsOf(action) {
  const words = action
    .replaceAll('.', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  const text = words.replace(/^api /, 'API ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

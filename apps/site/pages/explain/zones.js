import { element } from '../element.js';
import { ask } from '../session.js';

/** @typedef {{ id: string, name: string, tag: string, organization: string }} Zone */

const most = 100;
const typingMilliseconds = 250;

const choice = /** @type {HTMLSelectElement} */ (document.getElementById('question-zone'));
const filter = /** @type {HTMLElement} */ (document.getElementById('zone-filter'));
const wanted = /** @type {HTMLInputElement} */ (document.getElementById('zone-find'));

/**
 * Lists the caller's zones by name, with a search field if they exceed one page.
 * @param {string} chosen The id of the zone to select, or ''.
 * @returns {Promise<import('../api.js').Answer>}
 */
export async function offerZones(chosen) {
  const query = new URLSearchParams({ itemsPerPage: String(most), 'order[name]': 'asc' });
  if (wanted.value.trim() !== '') query.set('q', wanted.value.trim());
  const answer = await ask('GET', `zones?${query}`);
  if (!answer.ok) return answer;
  if (answer.total > most) filter.hidden = false;
  const found = /** @type {Zone[]} */ (answer.body);
  const isMissing = chosen !== '' && wanted.value.trim() === '' && found.every(({ id }) => id !== chosen);
  const all = isMissing ? [await zoneOf(chosen), ...found] : found;
  const empty = filter.hidden ? 'You have no zones yet' : 'No zone found';
  choice.replaceChildren(
    ...(all.length === 0 ? [element('option', { value: '' }, empty)] : all.map((zone) => optionOf(zone, all))),
  );
  if (all.some(({ id }) => id === chosen)) choice.value = chosen;
  return answer;
}

/**
 * Reads a zone that is not on the current page.
 * @param {string} id
 * @returns {Promise<Zone>}
 */
async function zoneOf(id) {
  const { ok, body } = await ask('GET', `zones/${encodeURIComponent(id)}`);
  return ok ? body : { id, name: id, tag: 'not found', organization: '' };
}

/**
 * @param {Zone} zone
 * @param {readonly Zone[]} all
 */
function optionOf({ id, name, tag, organization }, all) {
  const isAlone = all.filter((each) => each.name === name && each.tag === tag).length === 1;
  const owner = isAlone ? '' : `, organization ${organization.split('/').at(-1)}`;
  return element('option', { value: id }, `${name} (${tag}${owner})`);
}

let typing = 0;
wanted.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => void offerZones(choice.value), typingMilliseconds);
});

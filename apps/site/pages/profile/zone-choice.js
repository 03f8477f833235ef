import { failureOf } from '../api.js';
import { element } from '../element.js';
import { byId } from '../page.js';
import { ask } from '../session.js';

/** @typedef {import('./profile.d.ts').Zone} Zone */

/** More zones than this are found by name. */
const shownZones = 20;

/** Zones by id, in the order in which they were chosen. */
const chosen = /** @type {Map<string, Zone>} */ (new Map());
/** Names of the visitor's organizations; only needed if there are several. */
let organizations = /** @type {Map<string, string>} */ (new Map());
let found = /** @type {readonly Zone[]} */ ([]);

const filter = /** @type {HTMLInputElement} */ (byId('token-zone-filter'));

/** The ids of the chosen zones; empty: all zones. */
export const chosenZones = () => [...chosen.keys()];

/** Chooses no zone, and shows the first ones again. */
export function resetZones() {
  chosen.clear();
  filter.value = '';
  void find();
}

/** Shows the zones once they are needed, and looks for others while the visitor types. */
export function offerZones() {
  byId('token-zones')
    .closest('details')
    ?.addEventListener('toggle', () => void begin(), { once: true });
  filter.addEventListener('input', () => void find());
  filter.addEventListener('keydown', (event) => {
    // The form would be submitted.
    if (event.key === 'Enter') event.preventDefault();
  });
}

async function begin() {
  const { ok, body } = await ask('GET', 'organizations?itemsPerPage=100');
  const own = /** @type {{ id: number, name: string }[]} */ (ok ? body : []);
  organizations = new Map(own.map(({ id, name }) => [String(id), name]));
  await find();
}

/** Looks for zones; while the visitor types, only the last answer counts. */
async function find() {
  const text = filter.value.trim();
  const query = new URLSearchParams({ itemsPerPage: String(shownZones), 'order[name]': 'asc', q: text });
  const answer = await ask('GET', `zones?${query}`);
  if (text !== filter.value.trim()) return;
  found = answer.ok ? answer.body : [];
  // After a failure, typing tries again.
  byId('token-zone-find').hidden = answer.ok && text === '' && answer.total <= shownZones;
  byId('token-zone-count').textContent = answer.ok ? countOf(text, answer.total) : failureOf(answer).message;
  showZones();
}

/**
 * @param {string} text
 * @param {number} total
 */
function countOf(text, total) {
  if (total === 0) return text === '' ? 'You have no zones yet.' : 'No zone has such a name.';
  return total > shownZones ? `The first ${shownZones} of ${total} zones. Type a part of a name to find others.` : '';
}

/** Those that are chosen stay in sight. */
function showZones() {
  const others = found.filter(({ id }) => !chosen.has(id));
  byId('token-zone-list').replaceChildren(...[...chosen.values(), ...others].map(choiceOf));
}

/** @param {Zone} zone */
function choiceOf(zone) {
  const { id, name, tag, organization } = zone;
  const box = element('input', { type: 'checkbox', id: `token-zone-${id}`, value: id });
  box.checked = chosen.has(id);
  box.addEventListener('change', () => {
    if (box.checked) chosen.set(id, zone);
    else chosen.delete(id);
  });
  const owner = organizations.get(organization.replace(/^.*\//, '')) ?? '';
  return element(
    'div',
    'choice',
    box,
    element('label', { for: box.id }, `${name} `, element('code', '', tag), organizations.size > 1 ? ` ${owner}` : ''),
  );
}

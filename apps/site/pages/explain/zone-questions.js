import { failureOf } from '../api.js';
import { element } from '../element.js';
import { formOf, onSubmit } from '../form.js';
import { ask } from '../session.js';
import { behaviourParts, requestBehaviour } from './behaviour.js';
import { changeSetParts } from './change-sets.js';
import { configurationOf } from './configuration.js';
import { findingsParts, requestFindings } from './findings.js';

/**
 * What the zone-wide questions need from the page.
 * @typedef {object} Page
 * @property {(parts: readonly HTMLElement[], asked: string) => void} display
 * @property {() => void} endSession Returns to the sign-in form.
 */

const form = formOf('behaviour-form');
const changeSets = /** @type {HTMLSelectElement} */ (document.getElementById('change-set-id'));
const zone = /** @type {HTMLSelectElement} */ (document.getElementById('question-zone'));

/**
 * Offers the zone-wide questions for the selected zone.
 * @param {Page} page
 */
export function offerZoneQuestions({ display, endSession }) {
  /** @param {import('../api.js').Answer} answer */
  const refused = (answer) => (answer.status === 401 ? endSession() : failureOf(answer));

  onSubmit('findings-form', async () => {
    const answer = await requestFindings(`zones/${zone.value}`);
    if (!answer.ok) return refused(answer);
    display(findingsParts(answer.body, zone.value), '');
  });

  onSubmit('behaviour-form', async ({ from = '', to = '' }) => {
    const path = `zones/${zone.value}/revisions/${encodeURIComponent(from)}/behaviour/${encodeURIComponent(to)}`;
    const answer = await requestBehaviour(path);
    if (answer.status === 404) return { message: '', fields: { to: 'The zone does not have both revisions.' } };
    if (!answer.ok) return refused(answer);
    const nameOf = await namesIn([from, to]);
    display(behaviourParts(answer.body, { zone: zone.value, nameOf }), `zone=${zone.value}&compare=${from}..${to}`);
  });

  onSubmit('change-set-form', async ({ changeSet = '' }) => {
    const path = `zones/${zone.value}/change-sets/${changeSet}`;
    const parts = await changeSetParts(path, {
      zone: zone.value,
      nameOf: await namesIn([]),
      onChange: offerChangeSets,
    });
    if (!Array.isArray(parts)) return refused(parts);
    display(parts, '');
  });

  zone.addEventListener('change', () => {
    formOf('change-set-form').hidden = true;
    void offerChangeSets();
  });
}

/**
 * Compares two revisions of the selected zone.
 * @param {readonly string[]} revisions
 */
export function compareRevisions([from = '', to = '']) {
  Object.assign(form['from'], { value: from });
  Object.assign(form['to'], { value: to });
  form.requestSubmit();
}

/** Offers the zone's open change sets; hides the form if there are none. */
export async function offerChangeSets() {
  const selected = zone.value;
  if (selected === '') return;
  const { ok, body } = await ask('GET', `zones/${selected}/change-sets?status[]=open&status[]=conflicted`);
  // Another zone may have been selected meanwhile, and answers may overtake each other.
  if (!ok || zone.value !== selected) return;
  const sets = /** @type {{ id: string, title: string, createdAt: string }[]} */ (body);
  formOf('change-set-form').hidden = sets.length === 0;
  changeSets.replaceChildren(
    ...sets.map(({ id, title, createdAt }) =>
      element('option', { value: id }, title === '' ? `Made at ${new Date(createdAt).toLocaleString('en-GB')}` : title),
    ),
  );
}

/**
 * The names of rules in the given revisions and in the current one.
 * @param {readonly string[]} revisions
 * @returns {Promise<(address: string) => string>}
 */
async function namesIn(revisions) {
  const states = await Promise.all(
    revisions.map((revision) => ask('GET', `zones/${zone.value}/revisions/${encodeURIComponent(revision)}`)),
  );
  const latest = await ask('GET', `zones/${zone.value}/revisions?itemsPerPage=1`);
  const now = await ask('GET', `zones/${zone.value}/revisions/${latest.body[0]?.number}`);
  const configurations = [...states, now].flatMap(({ ok, body }) =>
    ok ? [configurationOf(body.state, undefined)] : [],
  );
  return (address) => {
    const name = configurations.map(({ rule }) => rule(address)?.name).find((each) => each !== undefined);
    return name === undefined ? 'a backend or a new rule' : `“${name}”`;
  };
}

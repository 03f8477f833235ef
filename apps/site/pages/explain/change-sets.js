import { code, element } from '../element.js';
import { ask } from '../session.js';
import { behaviourParts, requestBehaviour } from './behaviour.js';
import { followDelivery } from './edges.js';
import { findingsParts, requestFindings } from './findings.js';

/** @typedef {import('../api.js').Answer} Answer */
/** @typedef {{ path: string, base?: unknown, theirs?: unknown, yours?: unknown }} Conflict */

/**
 * @typedef {object} Context
 * @property {string} zone The id of the zone.
 * @property {(address: string) => string} nameOf The name of a rule.
 * @property {() => Promise<void>} onChange Called when the list of change sets has changed.
 */

/**
 * Renders a change set with its effects or conflicts and the possible actions; returns the response if it cannot be
 * read.
 * @param {string} path Of the set, below `/api/`.
 * @param {Context} context
 * @returns {Promise<HTMLElement[] | Answer>}
 */
export async function changeSetParts(path, context) {
  // Reads the zone's tag first, so that only the reviewed state can be applied.
  const zone = await ask('GET', `zones/${context.zone}`);
  const set = await ask('GET', path);
  if (!set.ok) return set;
  if (set.body.status === 'conflicted') return [conflictsSection(path, set, context)];
  const [findings, behaviour] = [await requestFindings(path), await requestBehaviour(`${path}/behaviour`)];
  if (!findings.ok) return findings;
  if (!behaviour.ok) return behaviour;
  return [
    ...behaviourParts(behaviour.body, context),
    ...findingsParts(findings.body, context.zone),
    applySection(path, zone.tag, context),
  ];
}

/**
 * @param {string} path
 * @param {string} tag The tag of the reviewed zone.
 * @param {Context} context
 */
function applySection(path, tag, { zone, onChange }) {
  const outcome = element('p', { role: 'status', tabindex: '-1' });
  const delivery = element('p', { role: 'status' });
  const button = element('button', { type: 'button' }, 'Apply the change set');
  const apply = async () => {
    button.disabled = true;
    const answer = await ask('POST', `${path}/apply`, {}, { 'If-Match': tag });
    button.disabled = false;
    outcome.textContent = answer.ok
      ? `Applied as revision ${answer.body.appliedRevision}.`
      : answer.status === 412
        ? 'The zone has changed in the meantime. Show the change set again.'
        : String(answer.body.detail ?? 'The service cannot be reached.');
    if (!answer.ok) return;
    button.remove();
    outcome.focus();
    void followDelivery(zone, answer.body.appliedRevision, delivery);
    await onChange();
  };
  button.addEventListener('click', () => void apply());
  return element('section', 'phase apply', element('h3', '', 'Apply'), button, outcome, delivery);
}

/**
 * @param {string} path
 * @param {Answer} set
 * @param {Context} context
 */
function conflictsSection(path, { body, tag }, { onChange }) {
  const conflicts = /** @type {Conflict[]} */ (body.conflicts);
  const outcome = element('p', { role: 'status' });
  const form = element(
    'form',
    { class: 'conflicts' },
    ...conflicts.map(choiceOf),
    element('button', '', 'Settle'),
    outcome,
  );
  const settle = async () => {
    const resolve = Object.fromEntries(new FormData(form));
    const answer = await ask('POST', `${path}/rebase`, { resolve }, { 'If-Match': tag });
    outcome.textContent = answer.ok ? 'Resolved. Show the change set again.' : String(answer.body.detail);
    if (answer.ok) await onChange();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void settle();
  });
  return element('section', 'phase', element('h2', { tabindex: '-1' }, 'In conflict with the zone'), form);
}

/** @param {Conflict} conflict */
function choiceOf({ path, theirs, yours }) {
  const option = (/** @type {string} */ side, /** @type {string} */ label, /** @type {unknown} */ value) =>
    element(
      'label',
      'choice',
      element('input', { type: 'radio', name: path, value: side, required: '' }),
      element('span', '', `${label}: `, code(value === undefined ? 'nothing' : JSON.stringify(value))),
    );
  return element(
    'fieldset',
    '',
    element('legend', '', code(path)),
    option('theirs', 'Keep the version of the zone', theirs),
    option('yours', 'Use the version of the change set', yours),
  );
}

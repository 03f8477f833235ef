import { failureOf } from '../api.js';
import { element } from '../element.js';
import { announce, onPress } from '../form.js';
import { byId } from '../page.js';
import { ask } from '../session.js';

/** @typedef {import('../api.js').Answer} Answer */
/** @typedef {import('../element.js').Child} Child */

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * A time of the API, in the visitor's time zone.
 * @param {string} time
 */
export const timeOf = (time) => element('time', { datetime: time }, moment.format(new Date(time)));

/**
 * When something was last used, if ever.
 * @param {string | undefined} time
 * @returns {readonly Child[]}
 */
export const useOf = (time) => (time === undefined ? [' · never used'] : [' · last used ', timeOf(time)]);

/**
 * Reads a list and shows it, or why it cannot be read.
 * @param {string} id The id of the list.
 * @param {string} path Below `/api/`.
 * @param {(thing: any) => HTMLElement} itemOf
 * @param {string} none What to show instead of an empty list.
 * @returns {Promise<Answer>}
 */
export async function showList(id, path, itemOf, none) {
  const answer = await ask('GET', path);
  const things = /** @type {unknown[]} */ (answer.ok ? answer.body : []);
  const empty = answer.ok ? element('p', 'hint', none) : element('p', 'failure', failureOf(answer).message);
  byId(id).replaceChildren(things.length === 0 ? empty : element('ul', 'things', ...things.map(itemOf)));
  return answer;
}

/**
 * An item of a list: its name, facts, and what can be done with it.
 * @param {{ name: Child, facts: readonly Child[], actions?: readonly HTMLElement[] }} item
 */
export function thing({ name, facts, actions = [] }) {
  const buttons = actions.length === 0 ? undefined : element('div', 'actions', ...actions);
  return element(
    'li',
    '',
    element('div', 'about', element('strong', '', name), element('p', 'hint', ...facts)),
    buttons,
  );
}

/**
 * A button of an item.
 * @param {string} label
 * @param {string} name Of the item, for screen readers: labels repeat.
 * @param {() => unknown} act
 */
export function actionButton(label, name, act) {
  const button = element('button', { type: 'button', class: 'plain', 'aria-label': `${label}: ${name}` }, label);
  onPress(button, act);
  return button;
}

/**
 * A button that cannot be undone: it acts when it is pressed twice.
 * @param {string} label
 * @param {string} name
 * @param {() => unknown} act
 */
export function finalButton(label, name, act) {
  const ready = `${label} for good?`;
  const button = actionButton(label, name, async () => {
    if (button.textContent === ready) return act();
    button.textContent = ready;
    button.setAttribute('aria-label', `${ready} ${name}`);
    announce(`Press again: ${label.toLowerCase()} ${name}.`);
  });
  button.addEventListener('blur', () => {
    button.textContent = label;
    button.setAttribute('aria-label', `${label}: ${name}`);
  });
  return button;
}

/**
 * After something has been done in a section: says so, or why not. The button that did it may be gone, so the heading
 * of the section has the focus.
 * @param {string} section
 * @param {Answer} answer
 * @param {string} done
 */
export function report(section, answer, done) {
  const alert = /** @type {HTMLElement} */ (document.querySelector(`#${section} > .failure`));
  alert.textContent = answer.ok ? '' : failureOf(answer).message;
  if (!answer.ok) return;
  announce(done);
  focusHeading(section);
}

/** @param {string} section */
export function focusHeading(section) {
  const heading = /** @type {HTMLElement} */ (document.querySelector(`#${section} h2`));
  heading.focus();
}

import { failureOf, post } from './api.js';
import { show } from './page.js';

/** @typedef {import('./api.js').Failure} Failure */

const status = /** @type {HTMLElement} */ (document.getElementById('status'));
const busyText = 'One moment…';

/**
 * The form with this id.
 * @param {string} id
 */
export const formOf = (id) => /** @type {HTMLFormElement} */ (document.getElementById(id));

/**
 * Calls `act` with the values on submit, ignoring submits while it runs, and shows the failure it resolves to.
 * @param {string} id
 * @param {(values: Record<string, string>) => Promise<Failure | void>} act
 */
export function onSubmit(id, act) {
  const form = formOf(id);
  const button = submitButton(form);
  const label = button.textContent;
  let busy = false;
  const submit = async () => {
    busy = true;
    button.setAttribute('aria-disabled', 'true');
    status.textContent = busyText;
    showFailure(form, { message: '', fields: {} });
    const values = valuesOf(form);
    const failure = missing(form, values) ?? (await act(values));
    busy = false;
    button.removeAttribute('aria-disabled');
    endBusyText();
    button.textContent = failure?.retry ? 'Try again' : label;
    if (failure !== undefined) showFailure(form, failure);
  };
  offerToShowPasswords(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!busy) void submit();
  });
}

/**
 * Calls `act` when the button is pressed, ignoring presses while it runs.
 * @param {HTMLElement} button
 * @param {() => unknown} act
 */
export function onPress(button, act) {
  const run = async () => {
    button.setAttribute('aria-disabled', 'true');
    status.textContent = busyText;
    await act();
    button.removeAttribute('aria-disabled');
    endBusyText();
  };
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') void run();
  });
}

/** One form may have submitted another, and what has been announced stays. */
function endBusyText() {
  const isBusy = document.querySelector('button[aria-disabled]') !== null;
  if (status.textContent === busyText && !isBusy) status.textContent = '';
}

/**
 * Tells screen readers, and everybody else, what has happened.
 * @param {string} text
 */
export function announce(text) {
  status.textContent = text;
}

/**
 * Makes a form request another mail and then show the next step.
 * @param {string} id
 * @param {string} path The endpoint that sends it.
 * @param {string} next
 */
export function requestMailWith(id, path, next) {
  onSubmit(id, async ({ email }) => {
    const answer = await post(path, { email });
    if (!answer.ok) return failureOf(answer);
    show(next);
  });
}

/**
 * Shows errors at their fields and above the button, and focuses the first one.
 * @param {HTMLFormElement} form
 * @param {Failure} failure
 */
export function showFailure(form, { message, fields }) {
  const alert = /** @type {HTMLElement} */ (form.querySelector('.failure'));
  const shown = fieldsOf(form);
  for (const field of shown) mark(field, fields[field.name] ?? '');
  const known = shown.map(({ name }) => name);
  const others = Object.entries(fields).filter(([name]) => !known.includes(name));
  alert.textContent = [message, ...others.map(([, text]) => text)].filter((text) => text !== '').join('\n');
  const first = shown.find(({ name }) => name in fields);
  first?.closest('details')?.setAttribute('open', '');
  first?.focus();
}

/** @param {HTMLFormElement} form */
const submitButton = (form) => /** @type {HTMLButtonElement} */ (form.querySelector('button:not([type])'));

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/**
 * The form's fields; unnamed ones are not submitted.
 * @param {HTMLFormElement} form
 * @returns {Field[]}
 */
const fieldsOf = (form) =>
  /** @type {Field[]} */ ([...form.querySelectorAll('input, textarea, select')]).filter(({ name }) => name !== '');

/**
 * The values by field name.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export const valuesOf = (form) => Object.fromEntries(fieldsOf(form).map((field) => [field.name, valueOf(field)]));

/**
 * Keeps spaces in passwords; elsewhere they are leftovers of copying.
 * @param {Field} field
 */
const valueOf = ({ value, dataset }) => ('password' in dataset ? value : value.trim());

/**
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} values
 * @returns {Failure | undefined}
 */
function missing(form, values) {
  const empty = fieldsOf(form).filter(({ name, required }) => required && values[name] === '');
  if (empty.length === 0) return undefined;
  return { message: '', fields: Object.fromEntries(empty.map(({ name }) => [name, 'This field is required.'])) };
}

/**
 * @param {Field} field
 * @param {string} message
 */
function mark(field, message) {
  const error = /** @type {HTMLElement} */ (document.getElementById(`${field.id}-error`));
  error.textContent = message;
  if (message === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

/** @param {HTMLFormElement} form */
function offerToShowPasswords(form) {
  const choice = form.querySelector('input[type=checkbox]');
  choice?.addEventListener('change', () => {
    const type = /** @type {HTMLInputElement} */ (choice).checked ? 'text' : 'password';
    for (const field of form.querySelectorAll('input')) if ('password' in field.dataset) field.type = type;
  });
}

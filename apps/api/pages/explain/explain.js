import { failureOf } from '../api.js';
import { formOf, onSubmit, valuesOf } from '../form.js';
import { reveal, show } from '../page.js';
import { offerSignIn, signInAgain } from '../sign-in.js';
import { answerParts } from './answer.js';
import { Comparison } from './comparison.js';
import { configurationOf } from './configuration.js';
import { offerDevices } from './devices.js';
import { element } from './element.js';
import { bodyOf, fieldOf, fragmentOf, mistakesIn, queryOf, questionIn, secretsIn } from './question.js';
import { ask, signOut, useApiToken, useSession } from './session.js';
import { offerZones } from './zones.js';

/** @typedef {import('../api.js').Answer} Answer */
/** @typedef {import('../api.js').Failure} Failure */
/** @typedef {import('./question.js').Question} Question */

const sessionEnded = 'Your session has ended. Please sign in again.';

const form = formOf('question-form');
const answerRegion = /** @type {HTMLElement} */ (document.getElementById('answer'));
const headers = /** @type {HTMLTextAreaElement} */ (document.getElementById('question-headers'));
const device = /** @type {HTMLSelectElement} */ (document.getElementById('question-device'));

/**
 * What the answer that is shown was compared by, and the zone it is about.
 * @type {{ zone: string, comparison: Comparison } | undefined}
 */
let shown;

offerSignIn({
  onSession: (tokens) => {
    useSession(tokens);
    void begin();
  },
  onInactive: () => ({ message: 'The e-mail address of this account has not been confirmed yet.', fields: {} }),
});

onSubmit('token-form', async ({ token = '' }) => {
  useApiToken(token);
  const answer = await offerZones(questionIn(location.hash)?.['zone'] ?? '');
  if (answer.status === 401) return { message: '', fields: { token: 'This token is not valid.' } };
  if (!answer.ok) return failureOf(answer);
  formOf('token-form').reset();
  showQuestion();
});

onSubmit('question-form', async (question) => {
  const mistakes = mistakesIn(question);
  if (Object.keys(mistakes).length > 0) return { message: '', fields: mistakes };
  const answer = await evaluate(question);
  if (answer.status === 401) return signInAgain(sessionEnded);
  if (!answer.ok) return explained(answer);
  const [state, backend] = await Promise.all([
    ask('GET', `zones/${question['zone']}/revisions/${answer.body.revision}`),
    backendName(answer.body.origin?.backend),
  ]);
  if (!state.ok) return failureOf(state);
  display(question, answer.body, state.body.state, backend);
});

/** After signing in: the zones, and the question of the link if there is one. */
async function begin() {
  const answer = await offerZones(questionIn(location.hash)?.['zone'] ?? '');
  if (!answer.ok) return signInAgain(answer.status === 401 ? sessionEnded : failureOf(answer).message);
  showQuestion();
}

/** Shows the form; what a link asks is asked at once. */
function showQuestion() {
  show('explain');
  if (form['zone'].value === '') answerRegion.replaceChildren(noZones());
  const question = questionIn(location.hash);
  if (question === undefined) return;
  fill(question);
  form.requestSubmit();
}

function noZones() {
  const guide = element('a', { href: 'api/docs#create-a-zone' }, 'Create one');
  return element('p', 'empty', 'There is no zone to ask about yet. ', guide, ' with the API first.');
}

/** @param {Question} question */
function fill(question) {
  for (const field of form.querySelectorAll('input, select, textarea')) {
    const input = /** @type {HTMLInputElement} */ (field);
    const value = question[input.name];
    if (value !== undefined) input.value = value === '' && input.name === 'method' ? 'GET' : value;
  }
  const isMore = ['unknown', 'status', 'revision', 'patch'].some((name) => (question[name] ?? '') !== '');
  form.querySelector('details')?.toggleAttribute('open', isMore);
  noteSecrets();
}

/**
 * Read-only API tokens may not POST; what they can ask, they can ask by GET.
 * @param {Question} question
 */
async function evaluate(question) {
  const path = `zones/${encodeURIComponent(question['zone'] ?? '')}/evaluation`;
  const answer = await ask('POST', path, bodyOf(question));
  if (answer.body.type !== '/errors/read-only-token' || question['patch'] !== '') return answer;
  return ask('GET', `${path}?${queryOf(question)}`);
}

/**
 * The name of a backend; where it cannot be read, its address has to do.
 * @param {string | undefined} address
 */
async function backendName(address) {
  if (address === undefined) return '';
  const { ok, body } = await ask('GET', address.replace(/^\/api\//, ''));
  return ok ? String(body.name) : address;
}

/**
 * Why there is no answer, at the fields concerned.
 * @param {Answer} answer
 * @returns {Failure}
 */
function explained(answer) {
  const failure = failureOf(answer);
  if (answer.status === 403) return { message: '', fields: { zone: answer.body.detail } };
  if (answer.status === 404)
    return {
      message: '',
      fields: { [/revision/i.test(answer.body.detail) ? 'revision' : 'zone']: answer.body.detail },
    };
  /** @type {Record<string, string>} */
  const fields = {};
  for (const [path, message] of Object.entries(failure.fields)) {
    const [field, text] = fieldOf(path, message);
    fields[field] = field in fields ? `${fields[field]}\n${text}` : text;
  }
  return { ...failure, fields };
}

/**
 * @param {Question} question
 * @param {import('./evaluation.d.ts').Evaluation} answer
 * @param {unknown} state The document of the revision.
 * @param {string} backend The name of the backend.
 */
function display(question, answer, state, backend) {
  const comparison = new Comparison(shown?.zone === answer.zone ? shown.comparison : undefined);
  const patch = question['patch'] ? JSON.parse(question['patch']) : undefined;
  const configuration = configurationOf(state, patch);
  const context = { configuration, comparison, path: answer.request?.path ?? '', backend };
  answerRegion.replaceChildren(...answerParts(answer, context));
  shown = { zone: answer.zone, comparison };
  const fragment = `#${fragmentOf(question)}`;
  if (fragment !== location.hash) history.pushState(null, '', fragment);
  answerRegion.querySelector('h2')?.focus({ preventScroll: true });
  const { top } = answerRegion.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) answerRegion.scrollIntoView();
}

function noteSecrets() {
  const names = secretsIn({ headers: headers.value });
  const note = /** @type {HTMLElement} */ (document.getElementById('headers-secret'));
  note.textContent = names.length === 0 ? '' : `Links leave out what ${names.join(' and ')} holds.`;
}

// Below the question, the way back to it is long.
answerRegion.addEventListener('click', ({ target }) => {
  const field = target instanceof HTMLElement ? target.dataset['leadsTo'] : undefined;
  if (field !== undefined) document.getElementById(field)?.focus();
});

offerDevices(device, headers);
headers.addEventListener('input', noteSecrets);

/** @param {Event} event */
function copyLink({ currentTarget }) {
  const button = /** @type {HTMLElement} */ (currentTarget);
  const link = new URL(`#${fragmentOf(valuesOf(form))}`, location.href).href;
  const say = (/** @type {string} */ outcome) => () => (button.textContent = outcome);
  const failed = say('The link could not be copied');
  // Browsers have a clipboard for pages over HTTPS and on the own machine only.
  if ('clipboard' in navigator) navigator.clipboard.writeText(link).then(say('Link copied'), failed);
  else failed();
}

document.getElementById('copy-link')?.addEventListener('click', copyLink);

document.getElementById('sign-out')?.addEventListener('click', () => {
  signOut();
  shown = undefined;
  answerRegion.replaceChildren();
  form.reset();
  show('sign-in');
});

// Back and forth in the history, and links that are opened in the same tab.
addEventListener('popstate', () => {
  if (document.getElementById('explain')?.hidden === false) showQuestion();
});

reveal('sign-in');

import { failureOf } from '../api.js';
import { element } from '../element.js';
import { formOf, onSubmit, showFailure, valuesOf } from '../form.js';
import { reveal, show } from '../page.js';
import { ask, goToSignIn, isSignedOut, signOut, useApiToken } from '../session.js';
import { answerParts } from './answer.js';
import { Comparison } from './comparison.js';
import { configurationOf } from './configuration.js';
import { offerDevices } from './devices.js';
import { attachFindings, requestFindings } from './findings.js';
import { bodyOf, fieldOf, fragmentOf, mistakesIn, queryOf, questionIn, revisionsIn, secretsIn } from './question.js';
import { compareRevisions, offerChangeSets, offerZoneQuestions } from './zone-questions.js';
import { offerZones } from './zones.js';

/** @typedef {import('../api.js').Answer} Answer */
/** @typedef {import('../api.js').Failure} Failure */
/** @typedef {import('./question.js').Question} Question */

/** When a service that does not answer is tried again. */
const unreachableSeconds = 30;
const sessionEnded = 'Your session has ended. Please sign in again.';

const form = formOf('question-form');
const answerRegion = /** @type {HTMLElement} */ (document.getElementById('answer'));
const headers = /** @type {HTMLTextAreaElement} */ (document.getElementById('question-headers'));
const device = /** @type {HTMLSelectElement} */ (document.getElementById('question-device'));

/**
 * The current evaluation's comparison and zone.
 * @type {{ zone: string, comparison: Comparison } | undefined}
 */
let shown;

onSubmit('sign-in-form', async () => goToSignIn());

onSubmit('token-form', async ({ token = '' }) => {
  useApiToken(token);
  const answer = await offerZones(questionIn(location.hash)?.['zone'] ?? '');
  if (answer.status === 401) useApiToken('');
  if (answer.status === 401) return { message: '', fields: { token: 'This token is not valid.' } };
  if (!answer.ok) return failureOf(answer);
  formOf('token-form').reset();
  showQuestion();
});

onSubmit('question-form', async (question) => {
  const mistakes = mistakesIn(question);
  if (Object.keys(mistakes).length > 0) return { message: '', fields: mistakes };
  const found = await evaluateAndRender(question);
  if (found === undefined || !('parts' in found)) return found;
  shown = { zone: found.answer.zone, comparison: found.comparison };
  display(found.parts, fragmentOf(question));
  if (!found.answer.draft) void addFindings(question['zone'] ?? '', found.answer.revision);
});

/**
 * Evaluates a question and renders the result; undefined if the session has ended.
 * @param {Question} question
 */
async function evaluateAndRender(question) {
  const answer = await evaluate(question);
  if (answer.status === 401) {
    signInAgain(sessionEnded);
    return undefined;
  }
  if (!answer.ok) return explained(answer);
  const [state, backend] = await Promise.all([
    ask('GET', `zones/${question['zone']}/revisions/${answer.body.revision}`),
    backendName(answer.body.origin?.backend),
  ]);
  if (!state.ok) return failureOf(state);
  const evaluation = /** @type {import('./evaluation.d.ts').Evaluation} */ (answer.body);
  const previous = shown?.zone === evaluation.zone ? shown?.comparison : undefined;
  const comparison = new Comparison(previous);
  const patch = question['patch'] ? JSON.parse(question['patch']) : undefined;
  const configuration = configurationOf(state.body.state, patch);
  const context = { configuration, comparison, path: evaluation.request?.path ?? '', backend };
  return { answer: evaluation, comparison, parts: answerParts(evaluation, context) };
}

/** @param {Awaited<ReturnType<typeof evaluateAndRender>>} found */
const sideParts = (found) =>
  found === undefined || 'parts' in found ? (found?.parts ?? []) : [element('p', 'outcome bad', found.message)];

/**
 * Adds the findings of the revision to the displayed rules.
 * @param {string} zone
 * @param {number} revision
 */
async function addFindings(zone, revision) {
  const own = answerRegion.firstElementChild;
  const { ok, body } = await requestFindings(`zones/${zone}/revisions/${revision}`);
  if (ok && answerRegion.firstElementChild === own) attachFindings(answerRegion, body, zone);
}

/**
 * Shows the evaluations by two revisions side by side.
 * @param {Question} question
 * @param {readonly string[]} revisions
 */
async function showBoth(question, revisions) {
  shown = undefined;
  const found = await Promise.all(revisions.map((revision) => evaluateAndRender({ ...question, revision })));
  const sides = found.map((each) => element('div', 'side', ...sideParts(each)));
  display([element('div', 'sides', ...sides)], location.hash.slice(1));
}

/**
 * With the session of the browser, if it has one: loads the zones and the link's question, if any. If that is not possible
 * at the moment, says so and tries again.
 */
async function begin() {
  const answer = await offerZones(questionIn(location.hash)?.['zone'] ?? '');
  if (answer.ok) return showQuestion();
  if (isSignedOut(answer)) return reveal('sign-in');
  const failure = failureOf(answer);
  if (failure.retry !== true) return signInAgain(failure.message);
  show('explain');
  fill(questionIn(location.hash) ?? {});
  showFailure(form, failure);
  setTimeout(() => void begin(), 1000 * (answer.retryAfterSeconds || unreachableSeconds));
}

/** @param {string} reason */
function signInAgain(reason) {
  show('sign-in');
  showFailure(formOf('sign-in-form'), { message: reason, fields: {} });
}

/** Shows the form; a question from a link is evaluated at once. */
function showQuestion() {
  show('explain');
  showFailure(form, { message: '', fields: {} });
  if (form['zone'].value === '') answerRegion.replaceChildren(noZones());
  void offerChangeSets();
  const question = questionIn(location.hash);
  const revisions = revisionsIn(location.hash);
  if (question === undefined) {
    if (revisions !== undefined) compareRevisions(revisions);
    return;
  }
  fill(question);
  if (revisions === undefined) form.requestSubmit();
  else void showBoth(question, revisions);
}

function noZones() {
  const guide = element('a', { href: 'api/docs#create-a-zone' }, 'Create one');
  return element('p', 'empty', 'You have no zones yet. ', guide, ' with the API first.');
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
 * Read-only API tokens may not POST, so questions that fit into a GET use it.
 * @param {Question} question
 */
async function evaluate(question) {
  const path = `zones/${encodeURIComponent(question['zone'] ?? '')}/evaluation`;
  const answer = await ask('POST', path, bodyOf(question));
  if (answer.body.type !== '/errors/read-only-token' || question['patch'] !== '') return answer;
  return ask('GET', `${path}?${queryOf(question)}`);
}

/**
 * The name of a backend, or its address if it cannot be read.
 * @param {string | undefined} address
 */
async function backendName(address) {
  if (address === undefined) return '';
  const { ok, body } = await ask('GET', address.replace(/^\/api\//, ''));
  return ok ? String(body.name) : address;
}

/**
 * Explains an unsuccessful response, with errors at the fields concerned.
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
 * Shows an evaluation and puts its question into the URL.
 * @param {readonly HTMLElement[]} parts
 * @param {string} asked The fragment that repeats the question, or ''.
 */
function display(parts, asked) {
  answerRegion.replaceChildren(...parts);
  if (asked !== '' && `#${asked}` !== location.hash) history.pushState(null, '', `#${asked}`);
  answerRegion.querySelector('h2')?.focus({ preventScroll: true });
  const { top } = answerRegion.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) answerRegion.scrollIntoView();
}

function noteSecrets() {
  const names = secretsIn({ headers: headers.value });
  const note = /** @type {HTMLElement} */ (document.getElementById('headers-secret'));
  note.textContent = names.length === 0 ? '' : `Links leave out the contents of ${names.join(' and ')}.`;
}

// On narrow screens the form is far above the result.
answerRegion.addEventListener('click', ({ target }) => {
  const field = target instanceof HTMLElement ? target.dataset['leadsTo'] : undefined;
  if (field !== undefined) document.getElementById(field)?.focus();
});

offerDevices(device, headers);
offerZoneQuestions({ display, endSession: () => signInAgain(sessionEnded) });
headers.addEventListener('input', noteSecrets);

/** @param {Event} event */
function copyLink({ currentTarget }) {
  const button = /** @type {HTMLElement} */ (currentTarget);
  const link = new URL(`#${fragmentOf(valuesOf(form))}`, location.href).href;
  const say = (/** @type {string} */ outcome) => () => (button.textContent = outcome);
  const failed = say('The link could not be copied');
  // Browsers offer the clipboard only over HTTPS and on localhost.
  if ('clipboard' in navigator) navigator.clipboard.writeText(link).then(say('Link copied'), failed);
  else failed();
}

document.getElementById('copy-link')?.addEventListener('click', copyLink);

document.getElementById('sign-out')?.addEventListener('click', () => {
  void signOut();
  shown = undefined;
  answerRegion.replaceChildren();
  form.reset();
  show('sign-in');
});

// Handles history navigation and links opened in the same tab.
addEventListener('popstate', () => {
  if (document.getElementById('explain')?.hidden === false) showQuestion();
});

void begin();

import { code, element, factList } from '../element.js';
import { requestAnalysis } from './ask-analysis.js';
import { witnessLink } from './findings.js';

/** @typedef {import('./analysis.d.ts').BehaviourChange} BehaviourChange */
/** @typedef {import('./analysis.d.ts').BehaviourDiff} BehaviourDiff */

const longestText = 200;

/**
 * Requests the behavioural difference of two configurations.
 * @param {string} path Below `/api/`: two revisions, or a change set.
 */
export const requestBehaviour = (path) => requestAnalysis(path);

/**
 * Renders the differences and the requests they affect.
 * @param {BehaviourDiff} diff
 * @param {object} context
 * @param {string} context.zone
 * @param {(address: string) => string} context.nameOf The name of a rule or backend.
 */
export function behaviourParts({ from, to, harmless, message, changes }, { zone, nameOf }) {
  const verdict = element(
    'div',
    `outcome ${harmless ? 'good' : ''}`,
    element('h2', { tabindex: '-1' }, harmless ? 'No difference' : 'What is different'),
    element('p', '', message),
    element('p', 'hint', to === undefined ? `Revision ${from} and the draft` : `Revision ${from} and revision ${to}`),
  );
  return [verdict, ...changes.map((change) => changeSection(change, { zone, nameOf, from, to }))];
}

/**
 * @param {BehaviourChange} change
 * @param {{ zone: string, nameOf: (address: string) => string, from: number, to: number | undefined }} context
 */
function changeSection({ key, from, to, because, message, witness }, { zone, nameOf, ...revisions }) {
  const names = (/** @type {readonly string[]} */ rules) => rules.map(nameOf).join(', ') || 'no rule';
  const both = revisions.to === undefined ? undefined : `${revisions.from}..${revisions.to}`;
  return element(
    'section',
    'phase',
    element('h3', '', titleOf(key)),
    element('p', '', message),
    factList([
      ['Before', [...valueParts(from), ` (${names(because.before)})`]],
      ['After', [...valueParts(to), ` (${names(because.after)})`]],
    ]),
    both === undefined
      ? witnessLink(witness, zone, 'See a request as it is now')
      : witnessLink(witness, zone, 'See a request in both revisions', { both }),
  );
}

/** @param {string} key */
const titleOf = (key) =>
  key.startsWith('settings.') ? key.slice('settings.'.length) : `${key[0]?.toUpperCase()}${key.slice(1)}`;

/** @param {unknown} value */
function valueParts(value) {
  if (value === null) return ['nothing'];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= longestText) return [text === '' ? 'empty' : code(text)];
  return [element('details', 'long', element('summary', '', code(`${text.slice(0, longestText)}…`)), code(text))];
}

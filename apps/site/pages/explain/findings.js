import { element } from '../element.js';
import { requestAnalysis } from './ask-analysis.js';
import { witnessFragment } from './question.js';

/** @typedef {import('./analysis.d.ts').Finding} Finding */
/** @typedef {import('./analysis.d.ts').Findings} Findings */
/** @typedef {import('./analysis.d.ts').Witness} Witness */

/** Maximum number displayed; the most severe come first. */
const maxFindings = 100;

/**
 * Requests the findings of a zone, a revision or a change set.
 * @param {string} path Below `/api/`, up to `/findings`.
 */
export const requestFindings = (path) => requestAnalysis(`${path}/findings?itemsPerPage=${maxFindings}`);

/**
 * Renders the findings, most severe first.
 * @param {Findings} findings
 * @param {string} zone The id of the zone.
 */
export function findingsParts({ revision, draft, complete, totalItems, member }, zone) {
  const title = totalItems === 0 ? 'No findings' : totalItems === 1 ? 'One finding' : `${totalItems} findings`;
  const completeness = complete
    ? 'The list is proven to be complete.'
    : 'The analysis stopped early, so the list may be incomplete.';
  const verdict = element(
    'div',
    `outcome ${member.some(({ severity }) => severity === 'error') ? 'bad' : 'good'}`,
    element('h2', { tabindex: '-1' }, title),
    element('p', '', completeness),
    element('p', 'hint', draft ? `The draft, on revision ${revision}` : `Revision ${revision}`),
  );
  const more = totalItems - member.length;
  const list = element('ul', 'findings', ...member.map((finding) => findingItem(finding, zone)));
  const rest = more > 0 ? element('p', 'hint', `${more} more are not displayed.`) : undefined;
  return member.length === 0 ? [verdict] : [verdict, element('section', 'phase', list, rest)];
}

/**
 * Adds findings to the displayed rules they concern.
 * @param {HTMLElement} answer
 * @param {Findings} findings
 * @param {string} zone
 */
export function attachFindings(answer, { member }, zone) {
  const steps = /** @type {HTMLElement[]} */ ([...answer.querySelectorAll('[data-rule]')]);
  for (const step of steps) {
    const own = member.filter(({ rules: [first] }) => first === step.dataset['rule']);
    if (own.length === 0) continue;
    step.append(element('ul', 'findings', ...own.map((finding) => findingItem(finding, zone))));
    // Unfolds rows that contain a rule with a finding.
    step.closest('details')?.setAttribute('open', '');
  }
}

const severities = { error: 'mistake', warning: 'warning', info: 'note' };

/**
 * @param {Finding} finding
 * @param {string} zone
 */
function findingItem({ severity, verdict, message, witness, counterpart, new: isNew }, zone) {
  const label = verdict === 'proven' ? severities[severity] : `${severities[severity]}?`;
  return element(
    'li',
    '',
    element('span', `badge ${verdict === 'proven' ? severity : ''}`, label),
    isNew ? element('span', 'badge new', 'new') : undefined,
    element('span', 'message', message),
    witness === undefined ? undefined : witnessLink(witness, zone, 'See a request'),
    counterpart === undefined ? undefined : witnessLink(counterpart, zone, 'See the other one'),
  );
}

/**
 * A link that evaluates a witness; plain text where no URL can express it, as for the target `*`.
 * @param {Witness} witness
 * @param {string} zone
 * @param {string} text
 * @param {Readonly<Record<string, string>>} [question] Other parts of the question, such as the revision.
 */
export function witnessLink(witness, zone, text, question = {}) {
  const { method, target, authority } = witness;
  if (!target.startsWith('/')) return element('span', 'hint', `${method} ${target} to ${authority}`);
  return element('a', { href: `#${witnessFragment(witness, { zone, ...question })}` }, text);
}

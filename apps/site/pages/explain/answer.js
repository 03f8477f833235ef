import { code, element, factList } from '../element.js';
import { cacheSection, originSection, responseSection } from './delivery.js';
import { settingsSection } from './settings.js';
import { stepList } from './steps.js';
import { dispositions, phases as phaseNames, reasons, yesNo } from './words.js';

/** @typedef {import('./evaluation.d.ts').Evaluation} Evaluation */
/** @typedef {import('./evaluation.d.ts').Phase} Phase */
/** @typedef {import('./evaluation.d.ts').Step} Step */
/** @typedef {import('./steps.js').Context} Context */
/** @typedef {Parameters<typeof factList>[0][number]} Row */

const maxChanges = 30;

/**
 * Renders the whole evaluation, in the order of the phases.
 * @param {Evaluation} answer
 * @param {Context} context
 */
export function answerParts(answer, context) {
  const { phases = [], settings, cache, origin, response } = answer;
  const { comparison } = context;
  const verdict = verdictSection(answer, context);
  const sections = [
    requestSection(answer, context),
    ...phases.map((phase) => phaseSection(phase, context)),
    settings === undefined ? undefined : settingsSection(settings, context),
    cache === undefined ? undefined : cacheSection(cache, comparison),
    origin === undefined ? undefined : originSection(origin, context),
    response === undefined ? undefined : responseSection(response, comparison),
  ];
  return [verdict, changesSection(context), ...sections].filter((section) => section !== undefined);
}

/**
 * The outcome at a glance.
 * @param {Evaluation} answer
 * @param {Context} context
 */
function verdictSection(answer, { comparison }) {
  const { disposition, status, location, reason, revision, draft } = answer;
  const [title = disposition, meaning = ''] = dispositions[disposition] ?? [];
  const result = status === undefined ? title : `${title} (${status})`;
  const rule = decidingRule(answer);
  const said = [reason === undefined ? meaning : (reasons[reason] ?? reason), rule, possibilities(answer)];
  const body = element('p', '', said.filter((text) => text !== '').join(' '));
  comparison.of(body, {
    group: 'Result',
    label: 'Result',
    text: [result, rule].filter((text) => text !== '').join('. '),
  });
  const target = location === undefined ? undefined : element('p', '', 'Location: ', code(location));
  if (target !== undefined) comparison.of(target, { group: 'Result', label: 'Location', text: location ?? '' });
  return element(
    'div',
    `outcome ${kinds[disposition] ?? 'bad'}`,
    element('h2', { tabindex: '-1' }, result),
    body,
    target,
    element('p', 'hint', `Revision ${revision}${draft ? ', with the unsaved change' : ''}`),
    element('button', { type: 'button', class: 'plain back', 'data-leads-to': 'question-url' }, 'Change the question'),
  );
}

/** @type {Readonly<Record<string, string>>} */
const kinds = { serve: 'good', redirect: '', unknown: '' };

/** @param {Evaluation} answer */
function possibilities({ disposition, dispositions: possible }) {
  if (disposition !== 'unknown') return '';
  return `Could be: ${possible.map((each) => (dispositions[each]?.[0] ?? each).toLowerCase()).join(', ')}.`;
}

/**
 * The rule that ended the evaluation, if any.
 * @param {Evaluation} answer
 */
function decidingRule({ phases = [] }) {
  const last = phases.at(-1);
  if (last?.ends !== 'true' || (last.phase !== 'accessRules' && last.phase !== 'rewriteRules')) return '';
  const steps = /** @type {readonly Step[]} */ (last.steps);
  return `The rule is “${steps.filter(({ outcome }) => outcome === 'matched').at(-1)?.name}”.`;
}

/** @param {Context} context */
function changesSection({ comparison }) {
  if (!comparison.hasPrevious) return undefined;
  const changes = comparison.changes();
  const { came, went } = comparison;
  if (changes.length + came.length + went.length === 0) {
    return element('p', 'changes', 'Nothing differs from the previous result.');
  }
  /** @type {(change: import('./comparison.js').Change) => Row} */
  const row = ({ label, before, after }) => [label, [element('del', '', before), ' → ', element('ins', '', after)]];
  /** @type {(label: string, groups: readonly string[]) => readonly Row[]} */
  const groups = (label, names) => (names.length === 0 ? [] : [[label, names.join(', ')]]);
  const more = changes.length - maxChanges;
  return element(
    'section',
    'changes',
    element('h3', '', 'Differences from the previous result'),
    factList([...changes.slice(0, maxChanges).map(row), ...groups('New', came), ...groups('No longer there', went)]),
    more > 0 ? element('p', 'hint', `${more} more are marked below.`) : undefined,
  );
}

/**
 * @param {Evaluation} answer
 * @param {Context} context
 */
function requestSection({ request }, { comparison }) {
  if (request === undefined) return undefined;
  const { method, scheme, host, path, query, unknown, ip, country, asn, status } = request;
  const address = `${method} ${scheme}://${host}${path}${query === '' ? '' : `?${query}`}`;
  const known = [ip, country, asn === null ? 'no AS number' : asn && `AS ${asn}`, status && `status ${status}`];
  const rows = /** @type {const} */ ([
    ['As rules see it', address],
    ['Client', known.filter((each) => each !== undefined && each !== '').join(', ') || 'unknown'],
    ['Unknown', unknown.length === 0 ? 'nothing' : unknown.join(', ')],
  ]);
  const facts = rows.map(([label, text]) => {
    const fact = element('span', '', label === 'As rules see it' ? code(text) : text);
    return /** @type {const} */ ([label, comparison.of(fact, { group: 'Request', label, text })]);
  });
  return element('section', 'phase', element('h3', '', 'Request'), factList(facts));
}

/**
 * @param {Phase} phase
 * @param {Context} context
 */
function phaseSection(phase, context) {
  const group = phaseNames[phase.phase] ?? phase.phase;
  const facts = factsOf(phase).map(([label, text]) => {
    const fact = context.comparison.of(element('span', '', text), { group, label, text });
    return /** @type {const} */ ([label, fact]);
  });
  const steps = 'steps' in phase ? /** @type {readonly Step[]} */ (phase.steps) : undefined;
  return element(
    'section',
    steps === undefined ? 'phase small' : 'phase',
    element('h3', '', group, endOf(phase)),
    facts.length === 0 ? undefined : factList(facts),
    steps === undefined
      ? undefined
      : steps.length === 0
        ? element('p', 'empty', 'The zone has none.')
        : stepList(group, steps, context, effectOf),
  );
}

/** @param {Phase} phase */
function endOf({ ends }) {
  if (ends === 'false') return undefined;
  return element('span', 'badge ends', ends === 'true' ? 'ends the request' : 'may end the request');
}

/** @param {{ readonly target: string, readonly result: string }} skip */
const skippedText = ({ target, result }) => (result === 'true' ? target : `${target} (unknown)`);

/**
 * Facts of a phase other than its rules.
 * @param {Phase} phase
 * @returns {readonly (readonly [label: string, text: string])[]}
 */
function factsOf(phase) {
  switch (phase.phase) {
    case 'accessRules':
      return phase.skips.length === 0 ? [] : [['Checks skipped', phase.skips.map(skippedText).join(', ')]];
    case 'rewriteRules': {
      const { changed, path, query } = phase;
      if (changed === undefined || changed === 'false') return [];
      return [['After rewriting', path === undefined ? 'unknown' : `${path}${query === '' ? '' : `?${query}`}`]];
    }
    case 'configurationRules':
      return [];
    case 'security':
      return [
        ['Active', yesNo[phase.active]],
        ['Under attack', yesNo[phase.underAttack]],
      ];
    case 'basicAuth':
      return [
        ['Required', yesNo[phase.required]],
        ['Credentials', phase.credentials],
      ];
    case 'maintenance':
      return [['Active', yesNo[phase.active]]];
  }
}

/**
 * Describes the effect of a rule in its list.
 * @param {Step} step
 */
function effectOf({ action, effect, writes }) {
  if (action !== undefined) return action;
  if (writes !== undefined) return writes.length === 0 ? 'writes nothing' : `writes ${writes.join(', ')}`;
  if (effect === undefined) return '';
  if ('location' in effect) return `${effect.status} to ${effect.location}`;
  return `to ${effect.path}${effect.query === '' ? '' : `?${effect.query}`}`;
}

import { code, element } from '../element.js';
import { operator, outcomes } from './words.js';

/** @typedef {import('./configuration.js').Rule} Rule */
/** @typedef {import('./configuration.js').Condition} Condition */
/** @typedef {import('./evaluation.d.ts').Step} Step */
/** @typedef {import('./evaluation.d.ts').Leaf} Leaf */
/** @typedef {import('./evaluation.d.ts').Shown} Shown */

/**
 * The context in which rule lists are rendered.
 * @typedef {object} Context
 * @property {import('./configuration.js').Configuration} configuration
 * @property {import('./comparison.js').Comparison} comparison
 * @property {string} path The path that the client sent.
 * @property {string} backend The name of the backend.
 */

/** Consecutive rules without effect are folded from this number on. */
const foldFrom = 6;
const longestValue = 120;

const signs = { true: '✓', false: '✗', unknown: '?' };
const results = { true: 'holds', false: 'fails', unknown: 'unknown' };

/**
 * Renders the rules of a list in order.
 * @param {string} group The name of the list.
 * @param {readonly Step[]} steps
 * @param {Context} context
 * @param {(step: Step) => string} effectOf The effect of a rule that matches or may match.
 */
export function stepList(group, steps, context, effectOf) {
  const items = steps.map((step) => ({ step, item: itemOf(group, step, context, effectOf(step)) }));
  return element('ol', 'steps', ...folded(items));
}

/** @typedef {{ step: Step, item: HTMLElement }} ShownStep */

/**
 * Folds long runs of rules that have no effect and had none before.
 * @param {readonly ShownStep[]} items
 * @returns {readonly HTMLElement[]}
 */
function folded(items) {
  const rows = /** @type {ShownStep[][]} */ ([]);
  for (const each of items) {
    const row = rows.at(-1);
    if (row?.[0] !== undefined && isIdle(row[0]) && isIdle(each)) row.push(each);
    else rows.push([each]);
  }
  return rows.flatMap((row) => (row.length < foldFrom ? row.map(({ item }) => item) : [foldOf(row)]));
}

/** @param {ShownStep} shown */
const isIdle = ({ step: { outcome }, item }) =>
  outcome !== 'matched' && outcome !== 'unknown' && item.querySelector('.changed') === null;

/** @param {readonly ShownStep[]} row */
function foldOf(row) {
  const [first, last] = [row[0]?.step.order ?? 0, row.at(-1)?.step.order ?? 0];
  const list = element('ol', 'steps', ...row.map(({ item }) => item));
  const summary = element('summary', '', `${first} to ${last}: ${row.length} rules that do not apply`);
  return element('li', 'fold', element('details', '', summary, list));
}

/**
 * @param {string} group
 * @param {Step} step
 * @param {Context} context
 * @param {string} effect
 */
function itemOf(group, step, { configuration, comparison, path }, effect) {
  const { order, name, outcome } = step;
  const rule = configuration.rule(step.rule);
  const acts = outcome === 'matched' || outcome === 'unknown';
  const said = outcomes[outcome] ?? outcome;
  const badge = element('span', `badge ${outcome}`, said);
  const text = acts && effect !== '' ? `${said}, ${effect}` : said;
  const heading = element(
    'p',
    'step-name',
    element('span', 'order', `${order}.`),
    element('strong', '', name),
    badge,
    effect === '' ? undefined : element('span', acts ? 'effect' : 'effect idle', effect),
  );
  comparison.of(heading, { group, label: `Rule “${name}”`, text });
  const leaves = step.leaves ?? [];
  return element(
    'li',
    { class: `step ${outcome}`, 'data-rule': step.rule },
    heading,
    sourceOf(step, rule, path),
    leafList(leaves, rule),
  );
}

/**
 * The source pattern of a rewrite rule, evaluated before its conditions.
 * @param {Step} step
 * @param {Rule | undefined} rule
 * @param {string} path
 */
function sourceOf({ source }, rule, path) {
  if (source === undefined || rule?.sourcePattern === undefined) return undefined;
  const text = ['path ', operator(rule.operator ?? ''), ' ', code(rule.sourcePattern)];
  const subject = element('span', 'subject', 'request: ', code(path));
  return element('ul', 'leaves', element('li', '', sign(source), element('span', '', ...text), subject));
}

/**
 * @param {readonly Leaf[]} leaves
 * @param {Rule | undefined} rule
 */
function leafList(leaves, rule) {
  if (leaves.length === 0) return undefined;
  const { logic, conditions = [] } = rule?.conditions ?? rule?.filter ?? {};
  const isAny = /^(or|any)$/i.test(logic ?? '');
  const items = leaves.map((leaf) => element('li', '', ...leafParts(leaf, conditions[leaf.index])));
  const intro = leaves.length < 2 ? undefined : element('p', 'logic', isAny ? 'any of:' : 'all of:');
  return element('div', '', intro, element('ul', 'leaves', ...items));
}

/**
 * @param {Leaf} leaf
 * @param {Condition | undefined} condition
 */
function leafParts({ index, result, subject }, condition) {
  const said = condition === undefined ? [`condition ${index + 1}`] : conditionParts(condition);
  return [
    sign(result),
    element('span', '', ...said),
    element('span', 'subject', 'request: ', ...subjectParts(subject)),
  ];
}

/** @param {Condition} condition */
function conditionParts({ field, target, operator: name, value }) {
  const about = target === undefined || target === null || target === '' ? field : `${field} ${target}`;
  return [`${about} ${operator(name)} `, ...(value === undefined || value === null ? [] : [valueOf(value)])];
}

/** @param {string} value */
function valueOf(value) {
  const line = value.split('\n').join(', ');
  if (line.length <= longestValue) return code(line);
  const short = element('summary', '', code(`${line.slice(0, longestValue)}…`));
  return element('details', 'long', short, code(line));
}

/** @param {readonly Shown[] | undefined} subject */
function subjectParts(subject) {
  if (subject === undefined) return ['unknown'];
  if (subject.length === 0) return ['absent'];
  return subject.flatMap((each, index) => [index === 0 ? '' : ', ', shown(each)]);
}

/**
 * Renders a value of the request; possible secrets as their length.
 * @param {Shown} value
 */
export const shown = (value) =>
  typeof value === 'string' ? (value === '' ? 'empty' : code(value)) : `hidden (${value.length} bytes)`;

/** @param {'true' | 'false' | 'unknown'} result */
const sign = (result) =>
  element('span', { class: `sign r-${result}`, role: 'img', 'aria-label': `${results[result]}:` }, signs[result]);

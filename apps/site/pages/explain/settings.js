import { code, element } from '../element.js';
import { counted } from './words.js';

/** @typedef {import('./evaluation.d.ts').Setting} Setting */
/** @typedef {import('./steps.js').Context} Context */

const group = 'Settings';
const longestValue = 160;

/**
 * All effective settings: first those written by rules, with every writer, and those that changed; then the zone's own.
 * @param {Readonly<Record<string, Setting>>} settings
 * @param {Context} context
 */
export function settingsSection(settings, context) {
  const rows = Object.entries(settings).map(([key, setting]) => {
    const fact = factOf(key, setting, context);
    const isOwn = !isWritten(setting) && !fact.classList.contains('changed');
    return { isOwn, row: element('div', '', element('dt', '', code(key)), fact) };
  });
  const [own, written] = [rows.filter(({ isOwn }) => isOwn), rows.filter(({ isOwn }) => !isOwn)];
  return element(
    'section',
    'phase',
    element('h3', '', group),
    written.length === 0 ? element('p', 'empty', 'No rule writes a setting for this request.') : tableOf(written),
    element(
      'details',
      'own',
      element('summary', '', `${counted(own.length, 'setting')} of the zone that no rule writes`),
      tableOf(own),
    ),
  );
}

/** @param {readonly { readonly row: HTMLElement }[]} rows */
const tableOf = (rows) => element('dl', 'facts settings', ...rows.map(({ row }) => row));

/** @param {Setting} setting */
const isWritten = (setting) => 'alternatives' in setting || setting.from !== 'zone';

/**
 * @param {string} key
 * @param {Setting} setting
 * @param {Context} context
 */
function factOf(key, setting, context) {
  const { configuration, comparison } = context;
  const inForce = 'alternatives' in setting ? setting.alternatives : [setting];
  const writerOf = (/** @type {string} */ from) =>
    from === 'zone' ? 'zone' : `rule “${configuration.rule(from)?.name ?? from}”`;
  const line = (/** @type {string} */ value, /** @type {string} */ from) => [code(value), ` ${writerOf(from)}`];
  const overwritten = setting.overwritten.map((from) =>
    element('li', '', element('del', '', ...line(writtenBy(from, key, context), from))),
  );
  const current = inForce.map(({ value, from }) => element('li', '', ...line(textOf(value), from)));
  const or = inForce.length > 1 ? element('p', 'logic', 'one of, depending on what is unknown:') : undefined;
  const chain = overwritten.length + current.length > 1 || inForce[0]?.from !== 'zone';
  const fact = element(
    'dd',
    '',
    or,
    chain ? element('ol', 'chain', ...overwritten, ...current) : code(textOf(inForce[0]?.value)),
  );
  const text = inForce.map(({ value, from }) => `${textOf(value)} (${writerOf(from)})`).join(' or ');
  return comparison.of(fact, { group, label: key, text });
}

/**
 * The value of a writer that was overridden.
 * @param {string} from
 * @param {string} key
 * @param {Context} context
 */
function writtenBy(from, key, { configuration }) {
  return textOf(from === 'zone' ? configuration.setting(key) : configuration.rule(from)?.settingsOverrides?.[key]);
}

/** @param {unknown} value */
function textOf(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

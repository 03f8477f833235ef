import { code, element, factList } from '../element.js';
import { shown } from './steps.js';
import { blockers, counted, duration, yesNo } from './words.js';

/** @typedef {import('./evaluation.d.ts').Cache} Cache */
/** @typedef {import('./evaluation.d.ts').Origin} Origin */
/** @typedef {import('./evaluation.d.ts').ResponseChanges} ResponseChanges */
/** @typedef {import('./comparison.js').Comparison} Comparison */
/** @typedef {import('../element.js').Child} Child */
/** @typedef {readonly [label: string, parts: readonly Child[], group?: string]} Row A row may override its group. */

const open = 'depends on what is unknown';

/**
 * @param {string} group
 * @param {readonly (Row | undefined)[]} rows Undefined rows are omitted.
 * @param {Comparison} comparison
 */
function section(group, rows, comparison) {
  const given = rows.filter((row) => row !== undefined);
  const facts = given.map(([label, parts, own = group]) => {
    const fact = element('span', '', ...parts);
    return /** @type {const} */ ([label, comparison.of(fact, { group: own, label, text: fact.textContent ?? '' })]);
  });
  return element('section', 'phase', element('h3', '', group), factList(facts));
}

/**
 * Whether and how a response is cached, and its cache key.
 * @param {Cache} cache
 * @param {Comparison} comparison
 */
export function cacheSection({ class: kind, eligible, reasons, ttl, contentTypes, key }, comparison) {
  return section(
    'Cache',
    [
      ['May be cached', [yesNo[eligible]]],
      reasons.length === 0 ? undefined : ['Because', [reasons.map((reason) => blockers[reason]).join('; ')]],
      ['Class', [kind]],
      ttl === undefined ? undefined : ['Time to live', [lifetime(ttl)]],
      contentTypes === undefined ? undefined : ['Content types', [contentTypes.join(', ')]],
      ...(eligible === 'false' ? [] : keyRows(key)),
    ],
    comparison,
  );
}

/**
 * @param {Cache['key']} key
 * @returns {readonly Row[]}
 */
function keyRows(key) {
  const group = 'Cache key';
  if (key === undefined) return [['Key', [open], group]];
  /** @type {Row[]} */
  const parts = key.parts.map(({ part, name, state, value }) => [
    name === undefined ? `Key: ${part}` : `Key: ${part} ${name}`,
    [value === undefined ? state : shown(value)],
    group,
  ]);
  return [...parts, ['Key: SHA-256', [key.sha256 === undefined ? open : code(key.sha256)], group]];
}

/** @param {NonNullable<Cache['ttl']>} ttl */
function lifetime({ source, seconds }) {
  const time = seconds === undefined ? open : duration(seconds);
  if (source === 'unknown') return open;
  return source === 'setting' ? time : `as the origin says; ${time} if it says nothing`;
}

/**
 * Where the request is sent, and the request that the origin receives.
 * @param {Origin} origin
 * @param {import('./steps.js').Context} context
 */
export function originSection({ backend, method, servers, target, headers }, { comparison, backend: name }) {
  return section(
    'Origin',
    [
      ['Backend', [backend === undefined ? open : name]],
      method === undefined ? undefined : ['Balanced by', [method.replaceAll('_', ' ')]],
      ...(servers ?? []).map(
        (server, index) =>
          /** @type {Row} */ ([servers?.length === 1 ? 'Server' : `Server ${index + 1}`, serverParts(server)]),
      ),
      ['Target', [target === undefined ? open : code(target)]],
      ...(headers === undefined
        ? [/** @type {Row} */ (['Request headers', [open]])]
        : headerRows('Request headers', headers)),
    ],
    comparison,
  );
}

/** @param {NonNullable<Origin['servers']>[number]} server */
function serverParts({ protocol, address, port, host, weight }) {
  return [
    code(`${protocol}://${address}:${port}`),
    ', asked for ',
    code(host),
    weight === 1 ? '' : `, weight ${weight}`,
  ];
}

/**
 * @param {string} label
 * @param {{ remove?: readonly string[], set?: readonly { name: string, value: string }[], add?: readonly { name: string, value: string }[] }} operations
 * @returns {readonly Row[]}
 */
function headerRows(label, { remove = [], set = [], add = [] }) {
  const rows = /** @type {readonly (readonly [string, readonly string[]])[]} */ ([
    ['removed', remove],
    ['set', set.map(({ name, value }) => `${name}: ${value}`)],
    ['added', add.map(({ name, value }) => `${name}: ${value}`)],
  ]);
  const used = rows.filter(([, lines]) => lines.length > 0);
  return used.map(([what, lines]) => [`${label} ${what}`, lines.map((line) => element('span', 'line', code(line)))]);
}

/**
 * Changes to responses, in order of application.
 * @param {ResponseChanges} response
 * @param {Comparison} comparison
 */
export function responseSection({ strip, cacheControl, remove, set, add, debug }, comparison) {
  const isOpen = remove === undefined || set === undefined || add === undefined;
  return section(
    'Response',
    [
      strip === undefined || strip.length === 0
        ? undefined
        : ['Cache tags', [`${counted(strip.length, 'header')} removed: ${strip.join(', ')}`]],
      ['Cache-Control', [cacheControl === undefined ? open : cacheControl === null ? 'unchanged' : code(cacheControl)]],
      ...(isOpen ? [/** @type {Row} */ (['Headers', [open]])] : headerRows('Headers', { remove, set, add })),
      ['Debug headers', [yesNo[debug]]],
    ],
    comparison,
  );
}

/**
 * What is asked, as the form has it: texts by the names of its fields, '' where a field is empty.
 * @typedef {Record<string, string>} Question
 */

/** What a link holds, by the names of the fields. The headers are apart: some of them are secrets. */
const linked = /** @type {const} */ ([
  'zone',
  'revision',
  'url',
  'method',
  'ip',
  'country',
  'asn',
  'status',
  'unknown',
  'patch',
]);

/** Names of headers whose values are secrets, or might well be. */
const secret = /^cookie$|authorization|token|secret|password|key/i;

/**
 * The lines of the headers as their names and values.
 * @param {string} text
 */
const headerLines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? { line } : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });

/**
 * What is wrong with a question before it is asked, by field.
 * @param {Question} question
 * @returns {Record<string, string>}
 */
export function mistakesIn({ headers = '', patch = '' }) {
  const wrong = headerLines(headers).findIndex((line) => !('name' in line));
  return {
    ...(wrong < 0 ? {} : { headers: `Line ${wrong + 1} should be a name, a colon and a value.` }),
    ...(patch === '' || isJsonObject(patch) ? {} : { patch: 'This should be a JSON object.' }),
  };
}

/** @param {string} text */
function isJsonObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The body of `POST …/evaluation`. What is empty is left out; what is no number is refused by the API, at its place.
 * @param {Question} question
 */
export function bodyOf({
  url,
  method,
  ip,
  country,
  asn = '',
  status = '',
  headers = '',
  unknown = '',
  revision = '',
  patch = '',
}) {
  const facts = { url, method, ip, country, asn: /^none$/i.test(asn) ? null : numberOr(asn), status: numberOr(status) };
  const lines = headerLines(headers).map(({ name, value }) => ({ name, value }));
  return {
    request: {
      ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== '')),
      ...(lines.length === 0 ? {} : { headers: lines }),
      ...(unknown === '' ? {} : { unknown: [unknown] }),
    },
    ...(revision === '' ? {} : { revision: numberOr(revision) }),
    ...(patch === '' ? {} : { patch: JSON.parse(patch) }),
  };
}

/** @param {string} text */
const numberOr = (text) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : text);

/**
 * The query of `GET …/evaluation`, which has no unsaved change.
 * @param {Question} question
 */
export function queryOf({ headers = '', unknown = '', asn = '', ...others }) {
  const single = /** @type {const} */ (['url', 'method', 'ip', 'country', 'status', 'revision']);
  const query = new URLSearchParams(single.flatMap((name) => (others[name] ? [[name, others[name]]] : [])));
  if (asn !== '') query.set('asn', /^none$/i.test(asn) ? '' : asn);
  for (const { name, value } of headerLines(headers)) query.append('header[]', `${name}: ${value}`);
  if (unknown !== '') query.append('unknown[]', unknown);
  return query.toString();
}

/**
 * The question as the fragment of an address, which no server sees. Of headers that may be secrets it holds the names.
 * @param {Question} question
 */
export function fragmentOf(question) {
  const fragment = new URLSearchParams();
  for (const name of linked) if (question[name]) fragment.set(name, question[name]);
  for (const { line, name = '', value } of headerLines(question['headers'] ?? '')) {
    if (line === undefined) fragment.append('header', secret.test(name) ? `${name}:` : `${name}: ${value}`);
  }
  return fragment.toString();
}

/**
 * The fragment that asks about a witness. Its headers are made up, so none of them is a secret.
 * @param {import('./analysis.d.ts').Witness} witness
 * @param {Readonly<Record<string, string>>} others What else the fragment holds.
 */
export function witnessFragment({ scheme, authority, target, asn, headers = [], ...facts }, others) {
  const url = `${scheme}://${authority}${target}`;
  const fragment = new URLSearchParams({ ...others, url, asn: asn === null ? 'none' : String(asn) });
  const names = /** @type {const} */ (['method', 'ip', 'country', 'status']);
  for (const name of names) if (facts[name] !== undefined) fragment.set(name, String(facts[name]));
  for (const { name, value } of headers) fragment.append('header', `${name}: ${value}`);
  return fragment.toString();
}

/**
 * The two revisions that a fragment asks about: what they do differently, or to the one request that it holds.
 * @param {string} fragment
 * @returns {readonly [from: string, to: string] | undefined}
 */
export function revisionsIn(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(given.get('both') ?? given.get('compare') ?? '') ?? [];
  return from === undefined || to === undefined ? undefined : [from, to];
}

/**
 * The question that a fragment holds; undefined when it holds none.
 * @param {string} fragment
 * @returns {Question | undefined}
 */
export function questionIn(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  if (!given.has('url')) return undefined;
  const headers = given.getAll('header').join('\n');
  return { ...Object.fromEntries(linked.map((name) => [name, given.get(name) ?? ''])), headers };
}

/**
 * The headers whose values a link leaves out.
 * @param {Question} question
 */
export const secretsIn = ({ headers = '' }) =>
  headerLines(headers).flatMap(({ name }) => (name !== undefined && secret.test(name) ? [name] : []));

/**
 * The field of the form that a violation is about.
 * @param {string} path Such as `request.headers[2].value`, or without `request.` after a GET.
 * @param {string} message
 * @returns {readonly [field: string, message: string]}
 */
export function fieldOf(path, message) {
  const [, name = '', index, rest = ''] = /^(?:request\.)?(\w+)(?:\[(\d+)\])?(.*)$/.exec(path) ?? [];
  const field = { header: 'headers', scheme: 'url', authority: 'url', target: 'url', id: 'zone' }[name] ?? name;
  if (field === 'headers' && index !== undefined) return [field, `Line ${Number(index) + 1}: ${message}`];
  return [field, field === 'patch' && rest !== '' ? `${rest.replace(/^\./, '')}: ${message}` : message];
}

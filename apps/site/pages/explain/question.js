/**
 * A question as the form holds it: strings by field name, '' for empty fields.
 * @typedef {Record<string, string>} Question
 */

/** The fields included in a link. Headers are handled separately: some hold secrets. */
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

/** Names of headers whose values may be secrets. */
const secret = /^cookie$|authorization|token|secret|password|key/i;

/**
 * Splits header lines into names and values.
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
 * Client-side validation errors by field.
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
 * The body of `POST …/evaluation`. Empty fields are omitted; the API validates numbers and reports errors by field.
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
 * The query of `GET …/evaluation`, which cannot include an unsaved change.
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
 * The question as a URL fragment, which is never sent to a server. Headers that may be secret are included by name
 * only.
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
 * The fragment that evaluates a witness. Its headers are synthetic, so none is secret.
 * @param {import('./analysis.d.ts').Witness} witness
 * @param {Readonly<Record<string, string>>} others Further members of the fragment.
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
 * The two revisions compared by a fragment, for all requests or for the one it contains.
 * @param {string} fragment
 * @returns {readonly [from: string, to: string] | undefined}
 */
export function revisionsIn(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(given.get('both') ?? given.get('compare') ?? '') ?? [];
  return from === undefined || to === undefined ? undefined : [from, to];
}

/**
 * The question in a fragment, if any.
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
 * Headers whose values links omit.
 * @param {Question} question
 */
export const secretsIn = ({ headers = '' }) =>
  headerLines(headers).flatMap(({ name }) => (name !== undefined && secret.test(name) ? [name] : []));

/**
 * The form field of a violation.
 * @param {string} path Such as `request.headers[2].value`; after a GET without `request.`.
 * @param {string} message
 * @returns {readonly [field: string, message: string]}
 */
export function fieldOf(path, message) {
  const [, name = '', index, rest = ''] = /^(?:request\.)?(\w+)(?:\[(\d+)\])?(.*)$/.exec(path) ?? [];
  const field = { header: 'headers', scheme: 'url', authority: 'url', target: 'url', id: 'zone' }[name] ?? name;
  if (field === 'headers' && index !== undefined) return [field, `Line ${Number(index) + 1}: ${message}`];
  return [field, field === 'patch' && rest !== '' ? `${rest.replace(/^\./, '')}: ${message}` : message];
}

/** User-facing texts for values in API responses. */

/** @type {Readonly<Record<string, readonly [title: string, meaning: string]>>} */
export const dispositions = {
  rejected: ['Rejected', 'The request is malformed, so no rule is evaluated.'],
  block: ['Blocked', 'An access rule blocks the request.'],
  challenge: ['Challenged', 'The client has to pass a challenge first.'],
  redirect: ['Redirected', 'A rewrite rule redirects the client.'],
  unauthorized: ['Asked for a password', 'Basic authentication is required and no credentials were sent.'],
  maintenance: ['Maintenance page', 'The zone is in maintenance.'],
  noBackend: ['No backend', 'No origin server is available for the request.'],
  serve: ['Served', 'The cache or the origin serves the request.'],
  unknown: ['It depends', 'What happens depends on facts that are unknown.'],
};

/** @type {Readonly<Record<string, string>>} */
export const reasons = {
  method: 'The method is not a token of up to 32 characters.',
  'target.character': 'The address contains a character that has to be percent-encoded, or a “#”.',
  'target.length': 'The address is longer than 8192 characters.',
  'target.form': 'The target fits neither the method nor any form of addresses.',
  'target.scheme': 'The scheme of the address differs from that of the connection.',
  authority: 'The host of the address is malformed.',
  'header.name': 'The name of a header is malformed.',
  'header.value': 'The value of a header contains a control character.',
  'header.size': 'There are more than 100 header lines, or more than 32 KB of them.',
};

/** @type {Readonly<Record<string, string>>} */
export const outcomes = {
  matched: 'matched',
  notMatched: 'not matched',
  unknown: 'unknown',
  disabled: 'disabled',
  afterStop: 'after a stop',
  inactive: 'inactive',
};

/** @type {Readonly<Record<string, string>>} */
export const phases = {
  accessRules: 'Access rules',
  rewriteRules: 'Rewrite rules',
  configurationRules: 'Configuration rules',
  security: 'Security',
  basicAuth: 'Basic authentication',
  maintenance: 'Maintenance',
};

/** Three-valued results as answers to a question. */
export const yesNo = /** @type {const} */ ({ true: 'yes', false: 'no', unknown: 'unknown' });

/** Reasons why a response is not cached. */
export const blockers = /** @type {const} */ ({
  disabled: 'the zone is switched off (enabled)',
  method: 'only GET and HEAD are cached',
  authorization: 'credentials were sent that the origin gets to see',
  classDisabled: 'caching is switched off for responses of this class',
  ttl: 'the time to live is 0, and what the origin says does not count',
});

/** Turns operator names such as `not_starts_with` into words. */
export const operator = (/** @type {string} */ name) => name.replaceAll('_', ' ').replace(/\bci\b/, '(any case)');

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** @param {number} seconds */
export function duration(seconds) {
  const units = /** @type {const} */ ([
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ]);
  const [size, unit] = units.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 'second'];
  return counted(seconds / size, unit);
}

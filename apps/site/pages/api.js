/**
 * A response of the API; `status` is 0 if none arrived.
 * @typedef {object} Answer
 * @property {number} status
 * @property {boolean} ok
 * @property {any} body
 * @property {number} retryAfterSeconds
 * @property {number} total Total number of items of a list; otherwise 0.
 * @property {string} tag The entity tag, or ''.
 */

/**
 * Why a form could not be submitted: errors by field name, and a message for the rest.
 * @typedef {object} Failure
 * @property {string} message
 * @property {Record<string, string>} fields
 * @property {boolean} [retry] Whether retrying may succeed.
 */

const timeoutMilliseconds = 30_000;

/**
 * Sends a request to the API.
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {object} [body] Sent as JSON.
 * @param {{ headers?: Record<string, string>, cookies?: boolean }} [options] Whether to use the session of the browser.
 * @returns {Promise<Answer>}
 */
export async function send(method, path, body, { headers: fields = {}, cookies = false } = {}) {
  try {
    const response = await fetch(new URL(`../api/${path}`, import.meta.url), {
      method,
      credentials: cookies ? 'same-origin' : 'omit',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...fields,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const { status, ok, headers } = response;
    const count = (/** @type {string} */ name) => Number(headers.get(name) ?? 0);
    const counts = { retryAfterSeconds: count('Retry-After'), total: count('X-Total-Count') };
    const tag = headers.get('ETag') ?? '';
    return { status, ok, body: status === 204 ? {} : await response.json(), ...counts, tag };
  } catch {
    return { status: 0, ok: false, body: {}, retryAfterSeconds: 0, total: 0, tag: '' };
  }
}

/**
 * Posts JSON to the API without cookies: mailed links must neither use nor end a session the browser already has.
 * @param {string} path Below `/api/`.
 * @param {object} body
 */
export const post = (path, body) => send('POST', path, body);

/**
 * Whether the response is the problem of this type.
 * @param {Answer} answer
 * @param {string} slug The last segment of the type.
 */
export const isProblem = ({ body }, slug) => body.type === `/errors/${slug}`;

/**
 * Whether the token was rejected: unknown, used, expired or malformed.
 * @param {Answer} answer
 */
export const isTokenRefused = (answer) => isProblem(answer, 'invalid-token') || 'token' in violationsOf(answer);

/**
 * Violation messages by member, one per line.
 * @param {Answer} answer
 * @returns {Record<string, string>}
 */
function violationsOf({ body }) {
  /** @type {Record<string, string>} */
  const messages = {};
  for (const { propertyPath, message } of body.violations ?? []) {
    messages[propertyPath] = propertyPath in messages ? `${messages[propertyPath]}\n${message}` : message;
  }
  return messages;
}

/**
 * Explains an unsuccessful response to the user.
 * @param {Answer} answer
 * @returns {Failure}
 */
export function failureOf(answer) {
  const { status, body, retryAfterSeconds } = answer;
  if (status === 0) return retry('The service cannot be reached. Check your connection and try again.');
  if (status === 429) return retry(`Too many attempts. Try again ${inWords(retryAfterSeconds)}.`);
  if (status >= 500) return retry('Something went wrong. Please try again later.');
  const fields = violationsOf(answer);
  return { message: Object.keys(fields).length === 0 ? body.detail : '', fields };
}

/** @param {string} message */
const retry = (message) => ({ message, fields: {}, retry: true });

/** @param {number} seconds */
function inWords(seconds) {
  if (seconds <= 90) return 'in a minute';
  return seconds <= 5400 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${Math.ceil(seconds / 3600)} hours`;
}

/**
 * A part of a document with its references resolved. Swagger UI's own resolver supports references between documents in
 * every dialect, and walks the whole document for each opened operation; ours contains only local references.
 * @param {unknown} document
 * @param {readonly string[]} path
 */
export const partOf = (document, path) => resolved(path.reduce(member, document), document, []);

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
const member = (value, name) => (isObject(value) ? value[name] : undefined);

/**
 * @param {unknown} value
 * @param {unknown} document
 * @param {readonly string[]} within The references being resolved: a recursive reference is kept.
 * @returns {unknown}
 */
function resolved(value, document, within) {
  if (Array.isArray(value)) return value.map((each) => resolved(each, document, within));
  if (!isObject(value)) return value;
  const { $ref, ...others } = value;
  const own = Object.fromEntries(
    Object.entries(others).map(([name, each]) => [name, resolved(each, document, within)]),
  );
  if (typeof $ref !== 'string') return own;
  if (within.includes($ref)) return value;
  const target = resolved(namesIn($ref).reduce(member, document), document, [...within, $ref]);
  // Swagger UI reads this member to see that the reference is resolved.
  return { ...(isObject(target) ? target : {}), ...own, $$ref: $ref };
}

/** @param {string} pointer A local reference (RFC 6901 section 6). */
const namesIn = (pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * A part of a document, with what it refers to in place. Swagger UI can resolve references between documents in every
 * dialect, and works through the whole document for that whenever an operation is opened; ours refers to itself only.
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
 * @param {readonly string[]} within The references that led here: what refers to itself stays a reference.
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
  // By this member Swagger UI knows that nothing of the reference is left.
  return { ...(isObject(target) ? target : {}), ...own, $$ref: $ref };
}

/** @param {string} pointer A reference within the document (RFC 6901 section 6). */
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

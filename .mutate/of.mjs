/**
 * Mutations of a file: a replacement (the original text occurs once) and the lowest-level tests that must detect it.
 */
export const of = (file, tests, changes) => changes.map(([from, to]) => ({ file, from, to, tests }));

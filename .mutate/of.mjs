/** Mistakes by file: what is replaced (it occurs once), by what, and the lowest tests that have to find it. */
export const of = (file, tests, changes) => changes.map(([from, to]) => ({ file, from, to, tests }));

/** Separators of list entries: line feeds, and also commas if no entry can contain one. */
export const listSeparators = { lines: /\n/, linesAndCommas: /[\n,]/ } as const;

/** The entries of a list as written: trimmed, without blank ones. */
export const listEntries = (written: string, separator: RegExp): readonly string[] =>
  written
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

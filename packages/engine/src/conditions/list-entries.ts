/** What separates the entries of a list: line feeds, and commas as well where no entry can hold one. */
export const listSeparators = { lines: /\n/, linesAndCommas: /[\n,]/ } as const;

/** The entries of a list as written: trimmed, without blanks. */
export const listEntries = (written: string, separator: RegExp): readonly string[] =>
  written
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

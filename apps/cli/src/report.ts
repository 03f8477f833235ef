/** What a command has to say when it is done. */
export interface Report {
  /** For programs: printed as one JSON document. Absent where the command printed its output itself. */
  readonly json?: unknown;
  /** For people. */
  readonly lines: readonly string[];
  /** Something that was looked at does not work. */
  readonly isFailure?: boolean;
}

/** Rows as lines of columns that are as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] {
  const texts = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => (row[column] ?? '').length)));
  return texts.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The result of a command. */
export interface Report {
  /** Printed as one JSON document with `--json`. Absent where the command has printed its output itself. */
  readonly json?: unknown;
  /** Printed for people. */
  readonly lines: readonly string[];
  /** Whether a check failed. */
  readonly isFailure?: boolean;
}

/** E.g. "1 zone", "2 zones", "0 entries". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

/** Formats rows as aligned columns. */
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

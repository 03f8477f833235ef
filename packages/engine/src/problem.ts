/** A problem of an input. */
export interface Problem {
  /** Path into the input: members with dots, indexes in brackets; "" for the whole input. */
  readonly path: string;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/** Creates a problem. */
export const problem = (path: string, code: string, message: string): Problem => ({ path, code, message });

/** The path of a member of the value at `path`. */
export const memberPath = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);

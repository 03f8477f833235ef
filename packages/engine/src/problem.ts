/** One thing that is wrong with an input. */
export interface Problem {
  /** Path into the input: members with dots, places of lists in brackets; "" for the input as a whole. */
  readonly path: string;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/** The only way to make a problem. */
export const problem = (path: string, code: string, message: string): Problem => ({ path, code, message });

/** The path of a member of what is at `path`. */
export const memberPath = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);

/** A problem of an input. */
export interface Problem {
  /** Path into the input: members with dots, indexes in brackets; "" for the whole input. */
  readonly path: string;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/** What is recorded of a request: nothing secret, so no query, no header and no body. */
export interface RequestEntry {
  /** Id; undefined if the request is of no zone. */
  zone?: string;
  /**
   * As evaluation names it; `refused`: of no zone, or not a request; `tooComplex`: evaluating it would take too long;
   * `busy`: too many passwords are being checked.
   */
  disposition: string;
  /** The rule that ended the request. */
  rule?: string;
  method: string;
  /** Canonical. */
  host?: string;
  /** As the client asked for it, canonical, without its query. */
  path?: string;
  /** 0 if the client went away before it got one. */
  status: number;
  /** Id of the origin server that was asked last. */
  origin?: string;
  /** How many servers were asked. */
  attempts: number;
  /** Why the origin could not answer. */
  failure?: string;
  cache: 'pass' | 'none';
  /** Whether the client got the whole answer. */
  complete: boolean;
  /** From the head of the request to the end of the answer. */
  milliseconds: number;
  /** Of those, until the head of the origin's answer came. */
  originMilliseconds?: number;
}

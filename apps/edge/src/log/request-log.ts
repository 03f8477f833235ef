import type { Share } from '../shares/bounds.ts';
import type { Outcome } from '../transforming/transformation.ts';

/** What is recorded of a request: nothing secret, so no query, no header and no body. */
export interface RequestEntry {
  /** Id; undefined if the request is of no zone. */
  zone?: string;
  /**
   * As evaluation names it; `refused`: of no zone, or ambiguous; `unparsed`: no request of HTTP, or not whole in time;
   * `tooComplex`: evaluating it would take too long; `busy`: too many passwords are being checked, or a share is used up;
   * `guessing`: too many wrong passwords; `loop`: it has come from this installation too often.
   */
  disposition: string;
  /** What the zone or the client has used up. */
  share?: Share;
  /** The rule that ended the request. */
  rule?: string;
  /** Undefined if the request could not be parsed. */
  method?: string;
  /** Canonical. */
  host?: string;
  /** Personal data, so only with `LOG_CLIENTS`. */
  client?: LoggedClient;
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
  /** How work on another form of the body ended, if there was any. */
  transformation?: Outcome['type'];
  /** Whether the client got the whole answer. */
  complete: boolean;
  /** From the head of the request to the end of the answer. */
  milliseconds: number;
  /** Of those, until the head of the origin's answer came. */
  originMilliseconds?: number;
}

/** Who asked. */
export interface LoggedClient {
  readonly address: string;
  /** Undefined without a database of countries. */
  readonly country?: string;
  /** Cut off where it is very long. */
  readonly userAgent?: string;
}

const flushMilliseconds = 100;
const flushCharacters = 16_384;

/**
 * Writes entries as JSON, a line each. Collects the lines of a tenth of a second: a write each would cost as much as
 * proxying. `flush` writes at once what is still held back.
 */
export function requestLog(output: (lines: string) => void, now: () => Date = () => new Date()) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    const written = lines;
    lines = '';
    output(written);
  };
  return {
    write: (entry: RequestEntry) => {
      lines += `${JSON.stringify({ time: now().toISOString(), type: 'request', ...entry })}\n`;
      if (lines.length >= flushCharacters) flush();
      else timer ??= setTimeout(flush, flushMilliseconds).unref();
    },
    flush,
  };
}

import type { RequestEntry } from './request-entry.ts';

const flushMilliseconds = 100;
const flushCharacters = 16_384;

/** Writes entries as JSON, a line each. */
export interface RequestLog {
  readonly write: (entry: RequestEntry) => void;
  /** Writes at once what is still held back. */
  readonly flush: () => void;
}

/** Collects the lines of a tenth of a second: a write each would cost as much as proxying. */
export function requestLog(output: (lines: string) => void, now: () => Date = () => new Date()): RequestLog {
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
    write: (entry) => {
      lines += `${JSON.stringify({ time: now().toISOString(), type: 'request', ...entry })}\n`;
      if (lines.length >= flushCharacters) flush();
      else timer ??= setTimeout(flush, flushMilliseconds).unref();
    },
    flush,
  };
}

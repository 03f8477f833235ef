import { ResultAsync } from 'neverthrow';
import type { ClosableAnalyses } from './analysis-threads.ts';
import { analysesBy, answerer } from './answers.ts';

/**
 * Runs analyses in the calling thread and blocks it meanwhile: for tests, and for programs that serve no requests.
 * Deterministic, since no clock limits it.
 */
export function analysesInThread(): ClosableAnalyses {
  const answer = answerer();
  return {
    ...analysesBy((kind, about) => ResultAsync.fromSafePromise(Promise.resolve().then(() => answer(kind, about)))),
    close: () => Promise.resolve(),
  };
}

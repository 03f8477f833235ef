import { ResultAsync } from 'neverthrow';
import type { ClosableAnalyses } from './analysis-threads.ts';
import { analysesBy, answering } from './answers.ts';

/**
 * Answers in the calling thread, which does nothing else meanwhile: for tests, and for programs that serve nobody. Answers
 * depend on the questions alone, and on no clock.
 */
export function analysesInThread(): ClosableAnalyses {
  const answer = answering();
  return {
    ...analysesBy((kind, about) => ResultAsync.fromSafePromise(Promise.resolve().then(() => answer(kind, about)))),
    close: () => Promise.resolve(),
  };
}

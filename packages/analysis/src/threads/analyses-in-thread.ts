import { okAsync, ResultAsync } from 'neverthrow';
import type { ClosableAnalyses } from './analysis-threads.ts';
import { analysesBy, answerer, sizedAnswer } from './answers.ts';
import { cachedAnalyses } from './cached-answers.ts';

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

/** How analyses in the calling thread are bounded. */
export interface InThreadLimits {
  /** The clock in milliseconds: what takes too long is undecided. */
  readonly now: () => number;
  /** Size of the answer cache, in characters of JSON. */
  readonly cacheSize: number;
}

/** The same with limits, for threads made for long work: answers are cached. */
export function boundedAnalyses({ now, cacheSize }: InThreadLimits): ClosableAnalyses {
  const answerTo = answerer(now);
  return {
    ...cachedAnalyses((question) => okAsync(sizedAnswer(answerTo, question)), cacheSize),
    close: () => Promise.resolve(),
  };
}

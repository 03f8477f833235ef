import { ResultAsync } from 'neverthrow';
import type { ClosableAnalyses } from './analysis-threads.ts';
import { analysesBy, answerTo } from './answers.ts';

/** Answers in the calling thread, which does nothing else meanwhile: for tests, and for programs that serve nobody. */
export const analysesInThread = (): ClosableAnalyses => ({
  ...analysesBy((kind, about) => ResultAsync.fromSafePromise(Promise.resolve().then(() => answerTo(kind, about)))),
  close: () => Promise.resolve(),
});

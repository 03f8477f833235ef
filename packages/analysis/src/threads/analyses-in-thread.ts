import { okAsync, ResultAsync } from 'neverthrow';
import type { ClosableAnalyses } from './analysis-threads.ts';
import { type AnswerAsync, type Answers, analysesBy, answerer, type QuestionKind, type Questions } from './answers.ts';
import { cachedAnswers } from './cached-answers.ts';

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
  const answer = cachedAnswers<Answers[QuestionKind]>((question) => {
    // Written below.
    const [kind, about] = JSON.parse(question) as [QuestionKind, Questions[QuestionKind]];
    const given = answerTo(kind, about);
    return okAsync({ answer: given, size: JSON.stringify(given).length });
  }, cacheSize);
  return {
    // Each kind of question is answered with the matching kind of answer.
    ...analysesBy(((kind, about) => answer(JSON.stringify([kind, about]))) as AnswerAsync),
    close: () => Promise.resolve(),
  };
}

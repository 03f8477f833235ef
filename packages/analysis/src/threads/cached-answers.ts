import { createHash } from 'node:crypto';
import type { AnalysisBusy } from '@zonewright/core';
import { LruCache } from '@zonewright/gate';
import { okAsync, ResultAsync } from 'neverthrow';

/** An answer and the length of its JSON text. */
export interface SizedAnswer<T> {
  readonly answer: T;
  readonly size: number;
}

type Compute<T> = (question: string) => ResultAsync<SizedAnswer<T>, AnalysisBusy>;

/**
 * Caches answers, up to a total number of characters; a question that is asked again while in progress shares its
 * answer. Refusals are not cached.
 */
export function cachedAnswers<T>(
  compute: Compute<T>,
  maxSize: number,
): (question: string) => ResultAsync<T, AnalysisBusy> {
  const answers = new LruCache<T>(maxSize);
  const coming = new Map<string, ResultAsync<T, AnalysisBusy>>();
  const computed = async (name: string, question: string) => {
    try {
      return await compute(question).map(({ answer, size }) => {
        answers.set(name, answer, size);
        return answer;
      });
    } finally {
      coming.delete(name);
    }
  };
  return (question) => {
    const name = createHash('sha256').update(question).digest('base64');
    const answer = answers.get(name);
    if (answer !== undefined) return okAsync(answer);
    const wanted = coming.get(name) ?? new ResultAsync(computed(name, question));
    coming.set(name, wanted);
    return wanted;
  };
}

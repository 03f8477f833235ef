import { createHash } from 'node:crypto';
import type { Analyses, AnalysisBusy, DocumentChecks } from '@zonewright/core';
import { LruCache } from '@zonewright/gate';
import { okAsync, ResultAsync } from 'neverthrow';
import { type AnswerAsync, type Answers, analysesBy, type QuestionKind, type SizedAnswer } from './answers.ts';

type Answer = Answers[QuestionKind];

/**
 * Caches answers, up to a total number of characters; a question that is asked again while in progress shares its
 * answer. Refusals are not cached. `compute` gets a question as JSON text: copying a string to a thread blocks the
 * sender for less time than cloning objects.
 */
export function cachedAnalyses(
  compute: (question: string) => ResultAsync<SizedAnswer, AnalysisBusy>,
  maxSize: number,
): Analyses & DocumentChecks {
  const answers = new LruCache<Answer>(maxSize);
  const coming = new Map<string, ResultAsync<Answer, AnalysisBusy>>();
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
  const answerTo = (question: string): ResultAsync<Answer, AnalysisBusy> => {
    const name = createHash('sha256').update(question).digest('base64');
    const answer = answers.get(name);
    if (answer !== undefined) return okAsync(answer);
    const wanted = coming.get(name) ?? new ResultAsync(computed(name, question));
    coming.set(name, wanted);
    return wanted;
  };
  // Each kind of question is answered with the matching kind of answer.
  return analysesBy(((kind, about) => answerTo(JSON.stringify([kind, about]))) as AnswerAsync);
}

/** The evaluation needs more than the budget of this thread; a thread with a larger one can answer it. */
export const evaluationTooLong = (retryAfterSeconds: number) =>
  ({ type: 'EvaluationTooLong', retryAfterSeconds }) as const;
export type EvaluationTooLong = ReturnType<typeof evaluationTooLong>;

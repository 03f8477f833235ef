/** Everything that analyses configurations is taken, or gave up; trying again in `retryAfterSeconds` may work. */
export const analysisBusy = (retryAfterSeconds: number) => ({ type: 'AnalysisBusy', retryAfterSeconds }) as const;
export type AnalysisBusy = ReturnType<typeof analysisBusy>;

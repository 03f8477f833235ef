/** All analysis workers are busy, or the analysis timed out; a retry after `retryAfterSeconds` may succeed. */
export const analysisBusy = (retryAfterSeconds: number) => ({ type: 'AnalysisBusy', retryAfterSeconds }) as const;
export type AnalysisBusy = ReturnType<typeof analysisBusy>;

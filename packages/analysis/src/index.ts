export { behaviourDiff } from './behaviour/behaviour-diff.ts';
export { findings } from './findings/findings.ts';
export { AnalysisCache } from './solver/analysis-cache.ts';
export { type AnalysisBudget, type AnalysisClock, defaultBudget } from './texts/budget.ts';
export { analysesInThread, boundedAnalyses, type InThreadLimits } from './threads/analyses-in-thread.ts';
export { type AnalysisLimits, analysisThreads, type ClosableAnalyses } from './threads/analysis-threads.ts';

export { analysesInThread } from './analyses-in-thread.ts';
export { type AnalysisLimits, analysisThreads, type ClosableAnalyses } from './analysis-threads.ts';

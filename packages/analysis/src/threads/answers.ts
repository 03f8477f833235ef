import type {
  AnalysedConfiguration,
  Analyses,
  AnalysisBusy,
  BehaviourDiff,
  ComparedConfigurations,
  DocumentChecks,
  Findings,
} from '@zonewright/core';
import {
  type CheckedConfiguration,
  type Configuration,
  checksOf,
  type DocumentCheck,
  parseConfiguration,
} from '@zonewright/engine';
import type { ResultAsync } from 'neverthrow';
import { behaviourDiff } from '../behaviour/behaviour-diff.ts';
import { findings } from '../findings/findings.ts';
import { AnalysisCache } from '../solver/analysis-cache.ts';
import { type AnalysisBudget, defaultBudget } from '../texts/budget.ts';
import { sha256 } from '../texts/sha256.ts';

/** The input of each kind of question. */
export interface Questions {
  readonly findings: AnalysedConfiguration;
  readonly behaviour: ComparedConfigurations;
  readonly checks: CheckedConfiguration;
}

/** The answer to each kind of question; plain data. */
export interface Answers {
  readonly findings: Findings;
  readonly behaviour: BehaviourDiff;
  readonly checks: readonly DocumentCheck[];
}

/** A kind of question. */
export type QuestionKind = keyof Questions;

/** Answers a question asynchronously. */
export type AnswerAsync = <K extends QuestionKind>(
  kind: K,
  about: Questions[K],
) => ResultAsync<Answers[K], AnalysisBusy>;

/** Answers a question synchronously. An unreadable configuration is a defect, and throws. */
export type AnswerSync = <K extends QuestionKind>(kind: K, about: Questions[K]) => Answers[K];

/** Milliseconds by the clock for a question and for an answer. */
const clockLimits = { question: 50, answer: 2000 } as const;

/**
 * Answers questions one after another; results of earlier ones make later ones faster. With a clock (in milliseconds),
 * what takes too long is undecided. Reading the configurations counts.
 */
export function answerer(now?: () => number): AnswerSync {
  const cache = new AnalysisCache();
  const budgetFromNow = (): AnalysisBudget =>
    now === undefined ? defaultBudget : { ...defaultBudget, clock: { now, began: now(), ...clockLimits } };
  const answers: { readonly [K in QuestionKind]: (about: Questions[K], budget: AnalysisBudget) => Answers[K] } = {
    findings: (about, budget) => findings(configurationOf(about), budget, cache),
    behaviour: ({ before, after }, budget) =>
      behaviourDiff(configurationOf(before), configurationOf(after), budget, cache),
    checks: (about) => checksOf(about, sha256),
  };
  return (kind, about) => answers[kind](about, budgetFromNow());
}

function configurationOf({ document, backends }: AnalysedConfiguration): Configuration {
  const configuration = parseConfiguration(document, backends);
  if (configuration.ok) return configuration.value;
  throw new Error(`A stored configuration is unreadable: ${JSON.stringify(configuration.error)}`);
}

/** An answer and the length of its JSON text. */
export interface SizedAnswer {
  readonly answer: Answers[QuestionKind];
  readonly size: number;
}

/** Answers a question in the form in which it is passed to threads and cached: its kind and input as JSON text. */
export function sizedAnswer(answerTo: AnswerSync, question: string): SizedAnswer {
  // Only `cachedAnalyses` writes questions.
  const [kind, about] = JSON.parse(question) as [QuestionKind, Questions[QuestionKind]];
  const answer = answerTo(kind, about);
  return { answer, size: JSON.stringify(answer).length };
}

/** Implements the ports on top of `AnswerAsync`. */
export const analysesBy = (ask: AnswerAsync): Analyses & DocumentChecks => ({
  findings: (configuration) => ask('findings', configuration),
  behaviour: (question) => ask('behaviour', question),
  checks: (configuration) => ask('checks', configuration),
});

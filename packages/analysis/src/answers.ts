import type { AnalysedConfiguration, Analyses, AnalysisBusy } from '@zonewright/core';
import { type Configuration, type Findings, findings, parseConfiguration } from '@zonewright/engine';
import type { ResultAsync } from 'neverthrow';

/** What each kind of question is about. */
export interface Questions {
  readonly findings: AnalysedConfiguration;
}

/** What the answer to each kind of question is: plain data. */
export interface Answers {
  readonly findings: Findings;
}

/** A kind of questions. */
export type Kind = keyof Questions;

/** Answers a question, sooner or later and somewhere. */
export type Ask = <K extends Kind>(kind: K, about: Questions[K]) => ResultAsync<Answers[K], AnalysisBusy>;

const answers: { readonly [K in Kind]: (about: Questions[K]) => Answers[K] } = {
  findings: (about) => findings(configurationOf(about)),
};

/** Answers a question here and now. What cannot be read is a defect, and throws. */
export const answerTo = <K extends Kind>(kind: K, about: Questions[K]): Answers[K] => answers[kind](about);

function configurationOf({ document, backends }: AnalysedConfiguration): Configuration {
  const configuration = parseConfiguration(document, backends);
  if (configuration.ok) return configuration.value;
  throw new Error(`A stored configuration is unreadable: ${JSON.stringify(configuration.error)}`);
}

/** The port, on anything that answers questions. */
export const analysesBy = (ask: Ask): Analyses => ({
  findings: (configuration) => ask('findings', configuration),
});

import type { ClosableAnalyses } from '@zonewright/analysis';
import type { HashingGate } from '@zonewright/crypto';
import { ResultAsync } from 'neverthrow';
import type { Timed } from '../observability/tracing.ts';
import type { ClosableMailer } from './mailer.ts';

/** Times hashes: their wait in the queue and the hashing itself. */
export const timedHashing = (gate: HashingGate, timed: Timed): HashingGate => ({
  run: (task, lane) => new ResultAsync(timed('password hashing', () => gate.run(() => timed('hash', task), lane))),
  stats: () => gate.stats(),
});

/** Times mails by kind. They are sent after their request has ended, so each is a trace of its own. */
export const timedMailer = (mailer: ClosableMailer, timed: Timed): ClosableMailer => ({
  send: (mail, queuedAt) => new ResultAsync(timed(`mail ${mail.kind}`, () => mailer.send(mail, queuedAt))),
  close: () => mailer.close(),
});

/** Times analyses, including their wait for a thread. */
export const timedAnalyses = (analyses: ClosableAnalyses, timed: Timed): ClosableAnalyses => ({
  findings: (about) => new ResultAsync(timed('findings', () => analyses.findings(about))),
  behaviour: (about) => new ResultAsync(timed('comparison of behaviour', () => analyses.behaviour(about))),
  checks: (about) => new ResultAsync(timed('checks of a document', () => analyses.checks(about))),
  close: () => analyses.close(),
});

/** The part of the request threads that is timed. */
interface Answering<Question, T, E> {
  answer(question: Question): ResultAsync<T, E>;
}

/** Times requests on request threads, including their wait for a turn. */
export const timedThreads = <Q, T, E>(threads: Answering<Q, T, E>, timed: Timed): Answering<Q, T, E> => ({
  answer: (question) => new ResultAsync(timed('request thread', () => threads.answer(question))),
});

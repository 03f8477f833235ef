import type { ClosableAnalyses } from '@zonewright/analysis';
import type { HashingGate } from '@zonewright/crypto';
import { ResultAsync } from 'neverthrow';
import type { ClosableMailer } from '../mailer.ts';
import type { Timed } from './following.ts';

/** Hashes with the time they waited for their turn, and inside of it the time they took. */
export const timedHashing = (gate: HashingGate, timed: Timed): HashingGate => ({
  run: (task, lane) => new ResultAsync(timed('password hashing', () => gate.run(() => timed('hash', task), lane))),
  figures: () => gate.figures(),
});

/** Mails by their kinds. They are sent after the requests that they belong to, so each is a trace of its own. */
export const timedMailer = (mailer: ClosableMailer, timed: Timed): ClosableMailer => ({
  send: (mail, queuedAt) => new ResultAsync(timed(`mail ${mail.kind}`, () => mailer.send(mail, queuedAt))),
  close: () => mailer.close(),
});

/** Questions about all requests, with the time they waited for a thread. */
export const timedAnalyses = (analyses: ClosableAnalyses, timed: Timed): ClosableAnalyses => ({
  findings: (about) => new ResultAsync(timed('findings', () => analyses.findings(about))),
  behaviour: (about) => new ResultAsync(timed('comparison of behaviour', () => analyses.behaviour(about))),
  close: () => analyses.close(),
});

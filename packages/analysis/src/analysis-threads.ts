import { availableParallelism } from 'node:os';
import { type Analyses, analysisBusy } from '@zonewright/core';
import { type GateLimits, gate } from '@zonewright/gate';
import { err, type Result } from 'neverthrow';
import type { Reply, ThreadLimits } from './analysis-thread.ts';
import { type Answers, type Ask, analysesBy, type Kind } from './answers.ts';
import { IdleThreads } from './idle-threads.ts';
import { keptAnswers, type Sized } from './kept-answers.ts';
import { workerPlace } from './worker-place.ts';

/** What all threads together may use. */
export interface AnalysisLimits extends GateLimits, ThreadLimits {
  /** Seconds without a question after which a thread ends. */
  readonly idleSeconds: number;
  /** Characters of answers that are kept, as JSON text. */
  readonly kept: number;
}

/** A question has 2 seconds of its own; a thread that takes so much longer is in a loop. */
const usualLimits = {
  queueLimit: 100,
  waitSeconds: 5,
  memory: 512,
  seconds: 20,
  idleSeconds: 60,
  kept: 8_000_000,
} as const;

/** One core is left to the thread that serves, where there are several. */
const usualThreads = (): number => Math.max(1, availableParallelism() - 1);

/** Analyses that hold something until they are closed. */
export interface ClosableAnalyses extends Analyses {
  /** Those who still wait for an answer are refused. */
  close(): Promise<void>;
}

/** What the adapter wants of its surroundings. */
export interface AnalysisThreadsOptions {
  readonly limits?: Partial<AnalysisLimits>;
  /** Called with the reason when a thread was lost over a question: it took too long or too much memory. */
  readonly onLoss?: (reason: string) => void;
  /** Another program for the threads, for tests. */
  readonly program?: URL;
}

/**
 * Answers on threads with a low priority, which start with the first question and end when there are none for a while.
 * What waits too long for a free one is refused, and so is a question over which a thread is lost. Answers are kept.
 */
export function analysisThreads({
  limits: given = {},
  onLoss = () => undefined,
  program = workerPlace,
}: AnalysisThreadsOptions = {}): ClosableAnalyses {
  const limits: AnalysisLimits = { concurrency: usualThreads(), ...usualLimits, ...given };
  const threads = new IdleThreads(program, limits);
  const places = gate(limits);
  const busy = analysisBusy(Math.max(1, Math.ceil(limits.waitSeconds)));

  const reply = async (question: string): Promise<Result<Reply, string>> => {
    // Those who have waited until everything was closed would start a thread that nobody ends.
    if (threads.isClosed) return err('The threads are closed.');
    const thread = threads.take();
    const given = await thread.ask(question);
    threads.giveBack(thread);
    return given;
  };
  const compute = (question: string) =>
    places
      .run(() => reply(question))
      .mapErr(() => busy)
      .andThen((outcome) => outcome.mapErr((reason) => lost(reason)).map(sized));
  const lost = (reason: string) => {
    if (!threads.isClosed) onLoss(reason);
    return busy;
  };
  const answer = keptAnswers<Answers[Kind]>(compute, limits.kept);
  return {
    // A thread answers a question of a kind with an answer of this kind.
    ...analysesBy(((kind, about) => answer(JSON.stringify([kind, about]))) as Ask),
    close: () => threads.close(),
  };
}

/** What went wrong in a thread is a defect here, too. */
function sized(reply: Reply): Sized<Answers[Kind]> {
  if ('defect' in reply) throw new Error(reply.defect);
  return reply;
}

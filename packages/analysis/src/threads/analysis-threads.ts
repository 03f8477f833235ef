import { availableParallelism } from 'node:os';
import { type Analyses, analysisBusy, type DocumentChecks } from '@zonewright/core';
import { type GateLimits, gate, IdleThreads, type IdleThreadsOptions } from '@zonewright/gate';
import { err, type Result } from 'neverthrow';
import type { SizedAnswer } from './answers.ts';
import { cachedAnalyses } from './cached-answers.ts';
import { workerUrl } from './worker-url.ts';

/** A thread's reply: an answer, or a defect. */
export type Reply = SizedAnswer | { readonly defect: string };

/** Limits of all threads together. */
export interface AnalysisLimits extends GateLimits, Pick<IdleThreadsOptions, 'memory' | 'seconds' | 'idleSeconds'> {
  /** Size of the answer cache, in characters of JSON. */
  readonly cacheSize: number;
}

/**
 * The budget allows 2 seconds of processor time per question, reading the configurations included; a thread that takes this
 * much longer is stuck, or the machine is overloaded.
 */
const defaultLimits = {
  queueLimit: 100,
  waitSeconds: 5,
  memory: 512,
  seconds: 20,
  idleSeconds: 60,
  cacheSize: 8_000_000,
} as const;

/** Leaves one core to the main thread, if there are several. */
const defaultThreads = (): number => Math.max(1, availableParallelism() - 1);

/** Analyses that hold resources until closed. */
export interface ClosableAnalyses extends Analyses, DocumentChecks {
  /** Refuses those still waiting for an answer. */
  close(): Promise<void>;
}

/** Options of the adapter. */
export interface AnalysisThreadsOptions {
  readonly limits?: Partial<AnalysisLimits>;
  /** Called with the reason when a question cost a thread: it took too long or too much memory. */
  readonly onLoss?: (reason: string) => void;
  /** The program of the threads; replaceable for tests. */
  readonly program?: URL;
}

/**
 * Runs analyses on low-priority threads, which start on demand and end when idle. A question that waits too long for a
 * thread, or that costs one, is refused. Answers are cached.
 */
export function analysisThreads({
  limits: given = {},
  onLoss = () => undefined,
  program = workerUrl,
}: AnalysisThreadsOptions = {}): ClosableAnalyses {
  const limits: AnalysisLimits = { concurrency: defaultThreads(), ...defaultLimits, ...given };
  const threads = new IdleThreads<string, Reply>({ program, ...limits });
  const places = gate(limits);
  const busy = analysisBusy(Math.max(1, Math.ceil(limits.waitSeconds)));

  const reply = async (question: string): Promise<Result<Reply, string>> => {
    // After closing, a waiting question would start a thread that nothing ends.
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
  return { ...cachedAnalyses(compute, limits.cacheSize), close: () => threads.close() };
}

/** A defect in a thread is a defect here, too. */
function sized(reply: Reply): SizedAnswer {
  if ('defect' in reply) throw new Error(reply.defect);
  return reply;
}

import type { ComputationLost, ThreadsBusy } from '@zonewright/api-description';
import { fairGate, IdleThreads, type IdleThreadsOptions } from '@zonewright/gate';
import { err, errAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Logger } from 'pino';
import type { MeasuredThreads } from '../observability/gauges.ts';
import type { ForwardedReply, ForwardedRequest, RequestThreads, ThreadQuestion } from './forwarding.ts';
import { LostComputations } from './lost-computations.ts';

/** A thread's reply, with the log lines that it wrote meanwhile. */
export interface ThreadReply extends ForwardedReply {
  readonly lines: readonly string[];
}

/** Mebibytes of heap of a request thread: several copies of the largest zone. */
export const threadMebibytes = 192;

/** Limits of all request threads of a process together. */
const threadLimits = {
  /** Requests of one user that wait. */
  queueLimit: 24,
  /** Longer than most computations take, so that only those in front of a queue of others are refused. */
  waitSeconds: 10,
  ownWaitSeconds: 20,
  memory: threadMebibytes,
  /** Many times what any request should take. */
  seconds: 20,
  idleSeconds: 60,
} as const;

/** What the threads run, and how many. */
export interface RequestThreadsOptions
  extends Pick<IdleThreadsOptions, 'program' | 'data' | 'env'>,
    Partial<Record<keyof typeof threadLimits, number>> {
  readonly concurrency: number;
  readonly log: Logger;
}

/** Request threads that hold resources until closed. */
export interface ClosableRequestThreads extends RequestThreads, MeasuredThreads {
  /** Ends all threads; those with a request lose it. */
  close(): Promise<void>;
}

type Refusal = ThreadsBusy | ComputationLost;

/**
 * Answers requests on low-priority threads, which start on demand and end when idle. Users take turns; a request that
 * waits too long is refused, and so is for a while one that has cost a thread.
 */
export function requestThreads({ concurrency, log, ...given }: RequestThreadsOptions): ClosableRequestThreads {
  const limits = { ...threadLimits, ...given };
  const threads = new IdleThreads<ForwardedRequest, ThreadReply>(limits);
  const places = fairGate({ ...limits, concurrency });
  const losses = new LostComputations();
  let lost = 0;

  const refusalOf = (digest: string): Refusal | undefined => {
    const retryAfterSeconds = losses.secondsLeft(digest);
    return retryAfterSeconds > 0 ? { type: 'ComputationLost', retryAfterSeconds } : undefined;
  };
  const lose = (reason: string, { request, digest }: ThreadQuestion): Refusal => {
    if (threads.isClosed) return busy;
    lost += 1;
    losses.remember(digest);
    log.error({ reason, requestId: request.requestId, route: request.route.path }, 'request thread lost');
    return refusalOf(digest) ?? busy;
  };
  const reply = async (question: ThreadQuestion): Promise<Result<ForwardedReply, Refusal>> => {
    // After closing, a waiting request would start a thread that nothing ends.
    if (threads.isClosed || question.isAbandoned()) return err(busy);
    const refusal = refusalOf(question.digest);
    if (refusal !== undefined) return err(refusal);
    const { body } = question.request;
    const thread = threads.take();
    const outcome = await thread.ask(question.request, body === undefined ? [] : [body.buffer]);
    threads.giveBack(thread);
    return outcome.mapErr((reason) => lose(reason, question)).map((answer) => logged(answer, log));
  };
  return {
    answer(question): ResultAsync<ForwardedReply, Refusal> {
      const refusal = refusalOf(question.digest);
      if (refusal !== undefined) return errAsync(refusal);
      return places
        .run(question.user, () => reply(question))
        .mapErr((): Refusal => busy)
        .andThen((outcome) => outcome);
    },
    stats: () => ({ ...places.stats(), lost }),
    close: () => threads.close(),
  };
}

const busy: ThreadsBusy = { type: 'ThreadsBusy', retryAfterSeconds: 2 };

/** What every line of the process has anyway. */
const common: ReadonlySet<string> = new Set(['time', 'pid', 'hostname', 'name']);

/** Writes the lines of a thread to the log of the process. */
function logged({ lines, ...reply }: ThreadReply, log: Logger): ForwardedReply {
  for (const line of lines) {
    // The thread's log writes JSON objects.
    const { level, msg, ...written } = JSON.parse(line) as Record<string, unknown>;
    const members = Object.fromEntries(Object.entries(written).filter(([member]) => !common.has(member)));
    const label = log.levels.labels[Number(level)] ?? 'info';
    // Every label of a level is the name of a method.
    log[label as 'info'](members, String(msg));
  }
  return reply;
}

/** The program of a request thread: it answers requests one after another, like the process, over storage of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { boundedAnalyses } from '@zonewright/analysis';
import { lowerPriority, threadClock } from '@zonewright/gate';
import type { ForwardedRequest } from '../admission/forwarding.ts';
import { payloadBudget } from '../admission/payload-budget.ts';
import { type ThreadReply, threadMebibytes } from '../admission/request-threads.ts';
import { threadAnswer } from '../admission/thread-answer.ts';
import { routing } from '../app.ts';
import { openLog } from '../observability/log.ts';
import { compose, ids } from './composition-root.ts';
import type { ThreadData } from './open-threads.ts';
import { postgresStorage } from './storage.ts';

/** Characters of JSON of the answers to analyses that a thread remembers. */
const analysisCacheCharacters = 8_000_000;

/**
 * What does not fit into the heap is refused before it is read, at once, because nothing else is released: a thread
 * answers one request at a time. Responses are also counted by the thread that sends them.
 */
const heap = threadMebibytes * 2 ** 20;
const payloads = payloadBudget({ total: heap, perUser: heap }, 0);

lowerPriority();

// Only `openThreads` starts this program.
const { config, keys, databaseUrl, slot } = workerData as ThreadData;
const lines: string[] = [];
const log = openLog({ write: (line) => void lines.push(line) });
log.level = config.logLevel;

const container = compose({
  config,
  keys,
  storage: postgresStorage({ config, keys, databaseUrl, log, memoryBytes: 2 ** 24 }),
  analyses: boundedAnalyses({ now: threadClock(), cacheSize: analysisCacheCharacters }),
  // No route that runs here sets a password.
  blocklist: { entries: undefined },
  log,
  metrics: undefined,
  tracing: undefined,
  isDraining: () => false,
  slot,
});
const { answerTo } = routing({ ...container.get(ids.appDependencies), payloads });
const answered = threadAnswer((ctx, { route, admission }) => answerTo(ctx, route, admission));

async function reply(request: ForwardedRequest): Promise<void> {
  const answer = await answered(request);
  const message: ThreadReply = { ...answer, lines: lines.splice(0) };
  parentPort?.postMessage(message, answer.body === undefined ? [] : [answer.body.buffer]);
}

parentPort?.on('message', (request: ForwardedRequest) => void reply(request));

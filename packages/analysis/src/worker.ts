/** The program of a thread: answers one question after another. */
import { getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Message, Reply } from './analysis-thread.ts';
import { answering } from './answers.ts';
import { threadClock } from './thread-clock.ts';

/** A tenth of the weight of the thread that serves, which goes first whenever it has something to do. */
const lower = 10;

// Only Linux takes the calling thread for the calling process.
if (platform() === 'linux') {
  try {
    setPriority(Math.min(19, getPriority() + lower));
  } catch {
    // A system that does not allow it analyses with the priority of everything else.
  }
}

const answerTo = answering(threadClock());

parentPort?.on('message', (text: string) => parentPort?.postMessage(replyTo(text)));

function replyTo(text: string): Reply {
  try {
    // Only `AnalysisThread` sends messages here.
    const [kind, about] = JSON.parse(text) as Message;
    const answer = answerTo(kind, about);
    return { answer, size: JSON.stringify(answer).length };
  } catch (failure) {
    return { defect: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}

/** The program of a thread: answers questions one after another. */
import { getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Message, Reply } from './analysis-thread.ts';
import { answerer } from './answers.ts';
import { threadClock } from './thread-clock.ts';

/** About a tenth of the scheduling weight of the main thread, which takes precedence. */
const lower = 10;

// Only on Linux does this affect just the calling thread rather than the process.
if (platform() === 'linux') {
  try {
    setPriority(Math.min(19, getPriority() + lower));
  } catch {
    // If this is not permitted, analyses run with normal priority.
  }
}

const answerTo = answerer(threadClock());

parentPort?.on('message', (text: string) => parentPort?.postMessage(replyTo(text)));

function replyTo(text: string): Reply {
  try {
    // Only `AnalysisThread` sends messages.
    const [kind, about] = JSON.parse(text) as Message;
    const answer = answerTo(kind, about);
    return { answer, size: JSON.stringify(answer).length };
  } catch (failure) {
    return { defect: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}

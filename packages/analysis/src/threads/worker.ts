/** The program of a thread: answers questions one after another. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority, threadClock } from '@zonewright/gate';
import type { Message, Reply } from './analysis-threads.ts';
import { answerer } from './answers.ts';

lowerPriority();

const answerTo = answerer(threadClock());

parentPort?.on('message', (text: string) => parentPort?.postMessage(replyTo(text)));

function replyTo(text: string): Reply {
  try {
    // Only `analysisThreads` sends messages.
    const [kind, about] = JSON.parse(text) as Message;
    const answer = answerTo(kind, about);
    return { answer, size: JSON.stringify(answer).length };
  } catch (failure) {
    return { defect: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}

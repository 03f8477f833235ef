/** The program of a thread: answers questions one after another. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority, threadClock } from '@zonewright/gate';
import type { Reply } from './analysis-threads.ts';
import { answerer, sizedAnswer } from './answers.ts';

lowerPriority();

const answerTo = answerer(threadClock());

parentPort?.on('message', (text: string) => parentPort?.postMessage(replyTo(text)));

function replyTo(text: string): Reply {
  try {
    return sizedAnswer(answerTo, text);
  } catch (failure) {
    return { defect: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}

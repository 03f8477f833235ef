import { writeFileSync } from 'node:fs';
import type { Job } from '../transformation.ts';
import { encodedImage } from './image-encoder.ts';
import { minifiedPage } from './page-minifier.ts';

/**
 * A process that decodes what strangers send, one body at a time: it has no secrets in its environment, a limit on its
 * memory, and is killed if it takes too long. It answers each job with a reply.
 */

/** What the process says of a job; without a body, the original stays. */
export interface Reply {
  readonly body: Buffer | undefined;
}

/** When memory runs out, the kernel ends this process before the one that answers requests (Linux, proc(5)). */
function goFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems choose themselves.
  }
}

/** Whatever is damaged or unknown stays as it is. */
async function replyTo(job: Job): Promise<Reply> {
  try {
    return { body: await (job.type === 'image' ? encodedImage(job) : minifiedPage(job)) };
  } catch {
    return { body: undefined };
  }
}

goFirst();
// A signal to the whole group is for the process that answers requests, which finishes them first.
process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);
// An ordinary exit would wait for threads that still work.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Only the process that answers requests sends messages.
process.on('message', (job: Job) => void replyTo(job).then((reply) => process.send?.(reply)));
process.send?.('ready');

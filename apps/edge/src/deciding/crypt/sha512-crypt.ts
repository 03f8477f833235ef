import { IdleThreads } from '@zonewright/gate';
import type { CryptQuestion } from './program.ts';

const program = new URL(
  import.meta.url.endsWith('.ts') ? './program-from-source.mjs' : './program.js',
  import.meta.url,
);

/** The most expensive accepted hash takes half a second. */
const threads = new IdleThreads<CryptQuestion, boolean>({ program, memory: 32, seconds: 10, idleSeconds: 60 });

/** Whether a password has a SHA-512 crypt hash, computed on another thread: Node's pool has no such function. */
export async function hasSha512Crypt(password: Buffer, hash: string): Promise<boolean> {
  const thread = threads.take();
  const reply = await thread.ask({ password: password.toString('utf8'), hash });
  threads.giveBack(thread);
  return reply.unwrapOr(false);
}

import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a replaceable result is no longer awaited. */
const timeoutMilliseconds = 1000;

/** Rejects when `answer` takes longer than a second. It is not cancelled; the client's own timeout ends it. */
export async function withTimeout<T>(answer: Promise<T>, whose: string): Promise<T> {
  const settled = new AbortController();
  const late = pause(timeoutMilliseconds, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`${whose} did not respond in time`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    settled.abort();
  }
}

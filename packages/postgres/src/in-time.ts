import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which nobody waits for an answer that something else can replace. */
const patience = 1000;

/** Rejects when `answer` takes longer than a second. It is not cancelled: the client's own limit ends it. */
export async function inTime<T>(answer: Promise<T>, whose: string): Promise<T> {
  const given = new AbortController();
  const late = pause(patience, undefined, { signal: given.signal }).then(() => {
    throw new Error(`${whose} does not answer in time`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    given.abort();
  }
}

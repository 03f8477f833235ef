import { okAsync } from 'neverthrow';
import type { Publications } from './ports.ts';

/** For services without edges: nothing is published, so nobody waits. */
export const noPublications: Publications = {
  bringUpToDate: () => okAsync(),
  wait: () => ({ next: () => okAsync(false), end: () => undefined }),
  inTurn: (read) => read(),
  together: (_, read) => read(),
  readerOf: () => okAsync(undefined),
  reported: () => undefined,
};

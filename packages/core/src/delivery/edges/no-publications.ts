import { okAsync } from 'neverthrow';
import type { Publications } from './ports.ts';

/** For services without edges: nothing is published, so nobody waits. */
export const noPublications: Publications = {
  catchUp: () => ({ next: () => okAsync('current' as const) }),
  wait: () => ({ next: () => okAsync(false), end: () => undefined }),
  reported: () => undefined,
};

import type { RequestFacts } from './facts.ts';

/** Work of any request, of a field line, and for each byte of a target with percent-triplets. */
const workForRequest = 500;
const workForLine = 20;
const workForTriplets = 10;

/**
 * The work of reading a request, and of hashing what goes into its cache key: headers are read several times, targets with
 * percent-triplets character by character.
 */
export function requestWork({ target, headers }: RequestFacts): number {
  let units = workForRequest + target.length * (target.includes('%') ? workForTriplets : 1);
  for (const { name, value } of headers) units += workForLine + name.length + value.length;
  return units;
}

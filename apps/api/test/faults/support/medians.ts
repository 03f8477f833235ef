/** The value in the middle: what a few slow samples on a busy machine do not move. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing.');
  return (low + high) / 2;
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Repeats a measurement until it is as it has to be, and resolves to the last one: a busy machine spoils a few. */
export async function measuredUpTo<T>(
  times: number,
  isFine: (found: T) => boolean,
  measure: () => Promise<T>,
): Promise<T> {
  const found = await measure();
  return isFine(found) || times === 1 ? found : measuredUpTo(times - 1, isFine, measure);
}

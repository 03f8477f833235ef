/** The median, which a few slow samples on a busy machine do not affect. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing.');
  return (low + high) / 2;
}

/** How many milliseconds the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Repeats a measurement until it is acceptable, and resolves to the last one: a busy machine spoils some. */
export async function measuredUpTo<T>(
  times: number,
  isFine: (found: T) => boolean,
  measure: () => Promise<T>,
): Promise<T> {
  const found = await measure();
  return isFine(found) || times === 1 ? found : measuredUpTo(times - 1, isFine, measure);
}

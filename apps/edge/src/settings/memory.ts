/** Mebibytes that the parts of an edge may take. The unit, the image and the documents state the same figures. */
export const memory = {
  /** `--max-old-space-size` of each process. */
  heap: 1024,
  /** Buffers, code and native memory of each process. */
  besideHeap: 512,
  /** Processes beside each one that answers requests, which decode images and pages, and the limit of each. */
  transformers: 2,
  transformer: 256,
} as const;

/** What an edge may take, by its number of processes that answer requests. If there are several, another one directs them. */
export function memoryFor(workers: number): number {
  const process = memory.heap + memory.besideHeap;
  const serving = process + memory.transformers * memory.transformer;
  return workers * serving + (workers > 1 ? process : 0);
}

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

/** Says that a container or unit allows less than that; undefined: it does not, or nothing is known. */
export function memoryShortage(workers: number, allowedBytes: number | undefined): string | undefined {
  const [needed, allowed] = [memoryFor(workers), Math.floor((allowedBytes ?? 0) / 2 ** 20)];
  if (allowed === 0 || allowed >= needed) return undefined;
  return `WORKERS=${workers} may take ${needed} MiB of memory, but this system allows ${allowed} MiB`;
}

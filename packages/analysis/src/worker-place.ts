/** The program of a thread, beside this module; the build puts another module in the place of this one. */
export const workerPlace = new URL(
  import.meta.url.endsWith('.ts') ? './worker-from-source.mjs' : './worker.js',
  import.meta.url,
);

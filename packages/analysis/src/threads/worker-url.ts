/** The program of a thread, next to this module; the build replaces this module. */
export const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './worker-from-source.mjs' : './worker.js',
  import.meta.url,
);

/** The program of a thread that checks documents; the build of the tests replaces this module. */
export const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './worker-from-source.mjs' : './worker.js',
  import.meta.url,
);

/** The program of a transformer; the build of the tests replaces this module. */
export const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../transformer/main.ts' : '../transformer/main.js',
  import.meta.url,
);

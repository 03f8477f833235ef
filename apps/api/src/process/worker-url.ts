/** The program of a request thread; the build replaces this module. */
export const workerUrl = new URL('./worker-from-source.mjs', import.meta.url);

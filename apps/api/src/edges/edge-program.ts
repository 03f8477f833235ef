/** The program of an edge, run by the same Node; the build replaces this module. */
export const edgeProgram = new URL('../../../edge/src/main.ts', import.meta.url);

const fromSource = ['--import', 'tsx', '--conditions=@zonewright/source', 'apps/api/src/main.ts'];
/** What `pnpm start` runs. */
const built = ['apps/api/dist/main.js'];

/**
 * The program that runs the API as a separate process: the build if the full check has just created it, because it
 * starts much faster; otherwise the sources.
 */
export const entryPoint: readonly string[] = process.env['ZONEWRIGHT_TEST_BUILD'] === '1' ? built : fromSource;

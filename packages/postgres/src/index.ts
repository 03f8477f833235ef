/** The public surface of the PostgreSQL adapters: nothing else can be imported from outside. */
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres, startTemporaryPostgres } from './embedded-postgres.ts';
export { migrate } from './migrate.ts';
export { PostgresUnitOfWork } from './unit-of-work.ts';

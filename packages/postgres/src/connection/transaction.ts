import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { err, type Result, type ResultAsync } from 'neverthrow';
import type { Connection, Database } from './database.ts';
import { isConflict, storageFailure } from './failures.ts';

const maxRetries = 3;

type Work<T, E> = (transaction: Connection) => ResultAsync<T, E>;

/** Wraps an Err as a rejection, which is pg-promise's only signal to roll back. */
class Rollback {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Commits if the work returns Ok, otherwise rolls back. Retries after conflicts. */
export const inTransaction = <T, E>(database: Database, work: Work<T, E>): Promise<Result<T, E>> =>
  again(() => undoable(database, work), maxRetries);

/** Runs work of a single statement, which is its own transaction. Retries after conflicts. */
export const inSingleStatement = <T, E>(database: Database, work: Work<T, E>): Promise<Result<T, E>> =>
  again(async () => work(database), maxRetries);

async function again<T>(attempt: () => Promise<T>, retries: number): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (retries === 0 || !isConflict(error)) throw storageFailure(error);
    await pause(Math.random() * 50);
    return again(attempt, retries - 1);
  }
}

/**
 * Runs work in a transaction, or in a savepoint of the current one, which is rolled back alone. Failures are not
 * mapped: the outermost transaction retries as a whole.
 */
export async function undoable<T, E>(on: Connection, work: Work<T, E>): Promise<Result<T, E>> {
  try {
    return await on.tx(async (transaction) => {
      const result = await work(transaction);
      // oxlint-disable-next-line typescript/only-throw-error -- not a failure, so it needs no stack
      if (result.isErr()) throw new Rollback(result.error);
      return result;
    });
  } catch (error) {
    // Only the rollback above throws this, with the error of the same work.
    if (error instanceof Rollback) return err(error.error as E);
    throw error;
  }
}

interface Ambient {
  readonly database: Database;
  readonly transaction: Connection;
}

const ambient = new AsyncLocalStorage<Ambient>();
/** Unfinished work inside transactions. */
let under = 0;

/**
 * Runs work inside the transaction: its units of work on this database, run one after another, become savepoints of the
 * transaction and are committed or rolled back with it.
 */
export function withinTransaction<T, E>(
  { database, transaction }: Ambient,
  work: () => ResultAsync<T, E>,
): ResultAsync<T, E> {
  under += 1;
  // Asynchronous context slows down every promise of the process (before Node 24), so it is enabled only while needed.
  const leave = () => {
    under -= 1;
    if (under === 0) ambient.disable();
  };
  const done = ambient.run({ database, transaction }, work);
  void Promise.resolve(done).then(leave, leave);
  return done;
}

/** The caller's current transaction on the database. */
export function ambientTransaction(database: Database): Connection | undefined {
  const current = ambient.getStore();
  return current?.database === database ? current.transaction : undefined;
}

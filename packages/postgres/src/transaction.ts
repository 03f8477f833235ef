import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { err, type Result, type ResultAsync } from 'neverthrow';
import type { Connection, Database } from './database.ts';
import { isConflict, storageFailure } from './failures.ts';

const maxRetries = 3;

type Work<T, E> = (transaction: Connection) => ResultAsync<T, E>;

/** Work that ended in Err, on its way through pg-promise, whose only signal to roll back is a rejection. */
class Rollback {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Commits when the work ends in Ok, otherwise nothing of it remains. After a conflict with another it runs again. */
export const committed = <T, E>(database: Database, work: Work<T, E>): Promise<Result<T, E>> =>
  again(() => undoable(database, work), maxRetries);

/** Does work of one statement, which is a transaction by itself. After a conflict with another one it runs again. */
export const alone = <T, E>(database: Database, work: Work<T, E>): Promise<Result<T, E>> =>
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
 * Does the work in a transaction of the connection, or in a part (savepoint) of the one it is in, which is undone by
 * itself. Failures come out as they are: the one who began the transaction runs all of it again.
 */
export async function undoable<T, E>(on: Connection, work: Work<T, E>): Promise<Result<T, E>> {
  try {
    return await on.tx(async (transaction) => {
      const result = await work(transaction);
      // oxlint-disable-next-line typescript/only-throw-error -- no failure, so it needs no stack
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
/** Pieces of work inside of a transaction that have not ended. */
let under = 0;

/**
 * Does the work inside the transaction: units of work on the database that it runs, one after another, become parts of
 * the transaction instead of having one of their own, and are committed or undone with it.
 */
export function inside<T, E>({ database, transaction }: Ambient, work: () => ResultAsync<T, E>): ResultAsync<T, E> {
  under += 1;
  // While it is enabled, every promise of the process is dearer (until Node 24): it is, while a caller is inside.
  const leave = () => {
    under -= 1;
    if (under === 0) ambient.disable();
  };
  const done = ambient.run({ database, transaction }, work);
  void Promise.resolve(done).then(leave, leave);
  return done;
}

/** The transaction on the database that the caller is inside of. */
export function ambientTransaction(database: Database): Connection | undefined {
  const found = ambient.getStore();
  return found?.database === database ? found.transaction : undefined;
}

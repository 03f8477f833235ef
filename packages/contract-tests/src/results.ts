import type { Repositories } from '@zonewright/core';
import { okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Storage } from './storage.ts';

/** A pending result. */
export type Pending<T, E> = ResultAsync<T, E> | Promise<Result<T, E>>;

/** The value of a result expected to be ok; rejects otherwise. */
export async function okOf<T>(pending: Pending<T, unknown>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`Expected a value, got ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The error of a result expected to fail; rejects otherwise. */
export async function errorOf<E>(pending: Pending<unknown, E>): Promise<E> {
  const result = await pending;
  if (result.isOk()) throw new Error(`Expected an error, got ${JSON.stringify(result.value)}`);
  return result.error;
}

/** The reason of a rejection; rejects if the promise resolves. */
export async function rejectionOf(pending: Promise<unknown> | ResultAsync<unknown, unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await pending;
  } catch (reason) {
    return reason;
  }
  throw new Error(`Expected a rejection, got ${JSON.stringify(value)}`);
}

type Work<T> = (repositories: Repositories) => ResultAsync<T, unknown>;

/** The value of a unit that must succeed. */
export const runUnit = <T>({ unitOfWork }: Storage, work: Work<T>): Promise<T> => okOf(unitOfWork.run(work));

/** The value of a read outside any unit, which must succeed. */
export const readView = <T>({ unitOfWork }: Storage, read: Work<T>): Promise<T> => okOf(unitOfWork.view(read));

/** The number of units in a race. */
export const raceSize = 20;

/** Starts `count` tasks at once; resolves when all have ended. */
export const concurrently = <T>(count: number, start: (index: number) => T): Promise<Awaited<T>[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => start(index)));

/** Repeats a race, because each round has different timing. */
export const rounds: readonly number[] = [1, 2];

/** An error, reduced to what tells errors apart. */
export type Failure = { readonly type: string; readonly violations?: readonly { readonly code: string }[] };

/** How often each outcome occurred: `Ok`, the code of an error's first violation, or the error's type. */
export function tally(results: readonly Result<unknown, Failure>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome = result.isOk() ? 'Ok' : (result.error.violations?.[0]?.code ?? result.error.type);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Processes items sequentially within a unit, whose connection runs one statement at a time. */
export const sequentially = <T>(
  items: readonly T[],
  act: (item: T) => ResultAsync<unknown, unknown>,
): ResultAsync<void, unknown> =>
  items.reduce<ResultAsync<void, unknown>>((before, item) => before.andThen(() => act(item).map(() => {})), okAsync());

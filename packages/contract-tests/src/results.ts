import type { Repositories } from '@zonewright/core';
import { okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Storage } from './storage.ts';

/** A result that is on its way. */
export type Pending<T, E> = ResultAsync<T, E> | Promise<Result<T, E>>;

/** The value of a result that the test knows to be one; rejects when it is an error. */
export async function okOf<T>(pending: Pending<T, unknown>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`Expected a value, got ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The error of a result that the test knows to be one; rejects when it is a value. */
export async function errorOf<E>(pending: Pending<unknown, E>): Promise<E> {
  const result = await pending;
  if (result.isOk()) throw new Error(`Expected an error, got ${JSON.stringify(result.value)}`);
  return result.error;
}

/** What a promise was rejected with; rejects when it was not. */
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
export const done = <T>({ unitOfWork }: Storage, work: Work<T>): Promise<T> => okOf(unitOfWork.run(work));

/** The value of a read, outside of any unit, that must succeed. */
export const seen = <T>({ unitOfWork }: Storage, read: Work<T>): Promise<T> => okOf(unitOfWork.view(read));

/** As many units as a race has. */
export const racers = 20;

/** Starts `count` at once; resolves when all have ended. */
export const atOnce = <T>(count: number, start: (index: number) => T): Promise<Awaited<T>[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => start(index)));

/** Each round of a race meets different timing. */
export const rounds: readonly number[] = [1, 2, 3, 4];

type Failure = { readonly type: string; readonly violations?: readonly { readonly code: string }[] };

/** How often each outcome occurred: `Ok`, the code of an error's first violation, or the type of the error. */
export function tally(results: readonly Result<unknown, Failure>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome = result.isOk() ? 'Ok' : (result.error.violations?.[0]?.code ?? result.error.type);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Does one thing after the other in a unit, whose connection takes one statement at a time. */
export const oneByOne = <T>(
  items: readonly T[],
  act: (item: T) => ResultAsync<unknown, unknown>,
): ResultAsync<void, unknown> =>
  items.reduce<ResultAsync<void, unknown>>((before, item) => before.andThen(() => act(item).map(() => {})), okAsync());

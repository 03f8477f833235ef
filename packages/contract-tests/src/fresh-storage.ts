import { ResultAsync } from 'neverthrow';
import { openGates } from './gate.ts';
import type { OpenStorage, Storage } from './storage.ts';

/**
 * Opens empty storage for each test of the calling suite, and closes it afterwards. Units that a failed test left open
 * are finished first, so that they do not write to the storage of the next test.
 */
export function freshStorage(open: OpenStorage): () => Storage {
  let current: Storage | undefined;
  let units: Promise<unknown>[] = [];
  beforeEach(async () => {
    current = noting(await open(), (unit) => units.push(unit));
  });
  afterEach(async () => {
    openGates();
    await Promise.allSettled(units);
    units = [];
    await current?.close();
    current = undefined;
  });
  return () => {
    if (current === undefined) throw new Error('There is storage only while a test runs.');
    return current;
  };
}

function noted<T, E>(unit: ResultAsync<T, E>, note: (unit: Promise<unknown>) => void): ResultAsync<T, E> {
  const ending = Promise.resolve(unit);
  note(ending);
  return new ResultAsync(ending);
}

const noting = ({ unitOfWork, ...rest }: Storage, note: (unit: Promise<unknown>) => void): Storage => ({
  ...rest,
  unitOfWork: {
    run: (work) => noted(unitOfWork.run(work), note),
    single: (work) => noted(unitOfWork.single(work), note),
    view: (read) => unitOfWork.view(read),
    session: (credential, subject, options) => unitOfWork.session(credential, subject, options),
  },
});

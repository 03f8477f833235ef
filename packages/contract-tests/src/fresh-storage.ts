import { ResultAsync } from 'neverthrow';
import { openGates } from './gate.ts';
import type { Storage } from './storage.ts';

/** Tests that register with mocha for an adapter; each gets storage that no other test uses. */
export const contract =
  <S extends Storage = Storage>(title: string, suite: (storage: () => S) => void) =>
  (adapter: string, open: () => Promise<S>): void => {
    describe(`${title}: ${adapter}`, () => suite(freshStorage(open)));
  };

/**
 * Opens empty storage for each test of the calling suite, and closes it afterwards. Units that a failed test left open
 * are finished first, so that they do not write to the storage of the next test.
 */
function freshStorage<S extends Storage>(open: () => Promise<S>): () => S {
  let current: S | undefined;
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

const noting = <S extends Storage>(storage: S, note: (unit: Promise<unknown>) => void): S => ({
  ...storage,
  unitOfWork: {
    run: (work) => noted(storage.unitOfWork.run(work), note),
    single: (work) => noted(storage.unitOfWork.single(work), note),
    view: (read) => storage.unitOfWork.view(read),
    session: (credential, subject, options) => storage.unitOfWork.session(credential, subject, options),
  },
});

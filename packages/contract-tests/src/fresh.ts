import { ResultAsync } from 'neverthrow';
import { openGates } from './gate.ts';
import type { OpenStorage, Storage } from './storage.ts';

/**
 * Opens empty storage for each test of the suite that calls this, and closes it afterwards. Units that a failed
 * test left open come to their end first, so that they do not write into the storage of the next test.
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

const noting = ({ unitOfWork, ...rest }: Storage, note: (unit: Promise<unknown>) => void): Storage => ({
  ...rest,
  unitOfWork: {
    run: (work) => {
      const unit = Promise.resolve(unitOfWork.run(work));
      note(unit);
      return new ResultAsync(unit);
    },
    view: (read) => unitOfWork.view(read),
  },
});

import type { Repositories } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, type ResultAsync } from 'neverthrow';
import { errorOf } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Runs a unit whose work succeeds, and which is then rolled back. */
export async function rollBack(
  { unitOfWork }: Storage,
  work: (repositories: Repositories) => ResultAsync<unknown, unknown>,
): Promise<void> {
  const unit = unitOfWork.run((repositories) => work(repositories).andThen(() => errAsync('undo')));
  expect(await errorOf(unit)).to.equal('undo');
}

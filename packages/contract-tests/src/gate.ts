import type { Repositories } from '@zonewright/core';
import { type Result, ResultAsync } from 'neverthrow';
import type { Storage } from './storage.ts';

/** Holds up those who await `passed` until `open` is called. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

const gates = new Set<Gate>();

/** Makes a closed gate. */
export function gate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const made = { passed, open };
  gates.add(made);
  return made;
}

/** Opens every gate there is: a test that failed must not leave a unit open for the next one. */
export function openGates(): void {
  for (const each of gates) each.open();
  gates.clear();
}

/** A unit that has done the first part of its work and stands still. */
export interface HeldUnit<T, E> {
  /** Lets the unit do the rest; resolves when it has ended. */
  release(): Promise<Result<T, E>>;
}

/** Starts a unit and resolves once it has done `first`; it does `rest` when it is released. */
export async function hold<T, E, F>(
  { unitOfWork }: Pick<Storage, 'unitOfWork'>,
  first: (repositories: Repositories) => ResultAsync<unknown, E>,
  rest: (repositories: Repositories) => ResultAsync<T, F>,
): Promise<HeldUnit<T, E | F>> {
  const [reached, released] = [gate(), gate()];
  const unit = unitOfWork.run((repositories) =>
    first(repositories)
      .andThen(() => {
        reached.open();
        return ResultAsync.fromSafePromise(released.passed);
      })
      .andThen((): ResultAsync<T, E | F> => rest(repositories)),
  );
  await Promise.race([reached.passed, unit]);
  return {
    release: async () => {
      released.open();
      return await unit;
    },
  };
}

type Unit = Promise<unknown> | ResultAsync<unknown, unknown>;

/** Whether the unit stands still because another one is open; false once it has ended. */
export async function waits(storage: Storage, unit: Unit): Promise<boolean> {
  const state = { ended: false };
  const end = () => {
    state.ended = true;
  };
  void Promise.resolve(unit).then(end, end);
  while (!state.ended) if (await storage.isWaiting()) return true;
  return false;
}

/** Whether the unit ends while another one is open. Where units never overlap there is no such case. */
export const goesOn = async (storage: Storage, unit: Unit): Promise<boolean> =>
  !storage.unitsOverlap || !(await waits(storage, unit));

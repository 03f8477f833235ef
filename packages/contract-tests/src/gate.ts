import type { Repositories } from '@zonewright/core';
import { type Result, ResultAsync } from 'neverthrow';
import type { Storage } from './storage.ts';

/** Blocks everyone who awaits `passed` until `open` is called. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

const gates = new Set<Gate>();

/** Creates a closed gate. */
export function gate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const made = { passed, open };
  gates.add(made);
  return made;
}

/** Opens all gates: a failed test must not leave a unit open for the next one. */
export function openGates(): void {
  for (const each of gates) each.open();
  gates.clear();
}

/** A unit that is paused after the first part of its work. */
export interface HeldUnit<T, E> {
  /** Lets the unit continue; resolves when it has ended. */
  release(): Promise<Result<T, E>>;
}

/** Starts a unit and resolves once it has done `first`; it does `rest` when released. */
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

/** Whether the unit is waiting for another one; false once it has ended. */
export async function waits(storage: Storage, unit: Unit): Promise<boolean> {
  const state = { ended: false };
  const end = () => {
    state.ended = true;
  };
  void Promise.resolve(unit).then(end, end);
  while (!state.ended) if (await storage.isWaiting()) return true;
  return false;
}

/** Whether the unit ends while another one is open; vacuously true if units never overlap. */
export const goesOn = async (storage: Storage, unit: Unit): Promise<boolean> =>
  !storage.unitsOverlap || !(await waits(storage, unit));

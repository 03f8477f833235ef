import type { Repositories } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, type Result, ResultAsync } from 'neverthrow';
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

type Unit = Promise<unknown> | ResultAsync<unknown, unknown>;
type Work<T, E> = (repositories: Repositories) => ResultAsync<T, E>;

/** A unit that is paused after the first part of its work. */
export interface HeldUnit<E> {
  /** Lets the unit do the rest of its work, by default nothing, and resolves when it has ended. */
  release<T = void, F = never>(rest?: Work<T, F>): Promise<Result<T, E | F>>;
  /** Expects that the other unit waits for this one, and then releases this one. */
  endBefore<T = void, F = never>(other: Unit, rest?: Work<T, F>): Promise<Result<T, E | F>>;
}

/** Starts a unit and resolves once it has done `first`. */
export async function hold<E>(storage: Storage, first: Work<unknown, E>): Promise<HeldUnit<E>> {
  const [reached, released] = [gate(), gate()];
  let remaining: Work<unknown, unknown> = () => okAsync();
  const unit = storage.unitOfWork.run((repositories) =>
    first(repositories)
      .andThen(() => {
        reached.open();
        return ResultAsync.fromSafePromise(released.passed);
      })
      .andThen(() => remaining(repositories)),
  );
  await Promise.race([reached.passed, unit]);
  const release: HeldUnit<E>['release'] = async <T, F>(rest?: Work<T, F>) => {
    remaining = rest ?? remaining;
    released.open();
    // The unit ends with the result of `rest`.
    return (await unit) as Result<T, E | F>;
  };
  return {
    release,
    endBefore: async (other, rest) => {
      expect(await waits(storage, other), 'the other unit waits').to.equal(true);
      return release(rest);
    },
  };
}

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

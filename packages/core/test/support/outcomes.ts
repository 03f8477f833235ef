import type { InvalidInput } from '@zonewright/core';
import type { Result } from 'neverthrow';

/** The value of a call that must succeed; throws otherwise. */
export const valueOf = async <T, E>(outcome: PromiseLike<Result<T, E>>): Promise<T> =>
  (await outcome).match(
    (value) => value,
    (error) => {
      throw new Error(`A call was refused: ${JSON.stringify(error)}`);
    },
  );

/** Why a call was refused: the error's tag, and for violations also `path code` of each. */
export const refusalOf = async <T, E extends { readonly type: string }>(
  outcome: PromiseLike<Result<T, E>>,
): Promise<readonly string[]> =>
  (await outcome).match(
    () => ['accepted'],
    (error) =>
      isInvalidInput(error)
        ? error.violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`)
        : [error.type],
  );

const isInvalidInput = (error: { readonly type: string }): error is InvalidInput => error.type === 'InvalidInput';

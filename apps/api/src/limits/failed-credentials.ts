import type { LimitStatus } from '@zonewright/core';
import type { Context } from 'koa';
import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import { announceLimits, type LimitDependencies, noteExceeded } from './limited-work.ts';
import { limitsOf, takeLimits } from './rate-limits.ts';

/** The source of a credential: a network, or a signed token, which others cannot present. */
export type CredentialSource = readonly string[];

/** Failures are counted directly, never leased. */
type Counted = Pick<LimitDependencies, 'limiter' | 'budgets'>;

interface Block {
  readonly status: LimitStatus;
  /** In `performance.now()` time. */
  readonly endsAt: number;
  /** Whether a request was rejected by it. */
  hasRefused: boolean;
}

const maxBlocks = 10_000;

/**
 * Bounds look-ups of unknown credentials: failures are counted in storage, and a source over its limit is rejected
 * without a look-up. Only failures cost a statement. This process caches a block until its end: points of this limit
 * are never refunded, so it cannot end earlier. Other instances learn of a block with their first failure.
 */
export class FailedCredentials {
  readonly #dependencies: Counted;
  readonly #blocks = new Map<string, Block>();

  constructor(dependencies: Counted) {
    this.#dependencies = dependencies;
  }

  /** Rejects a blocked source; `announce` sends the limit in header fields. */
  admit(source: CredentialSource, announce: (statuses: readonly LimitStatus[]) => void): Result<void, ApiError> {
    if (this.#blocks.size === 0) return ok();
    const name = nameOf(source);
    const block = this.#blocks.get(name);
    if (block === undefined) return ok();
    const resetSeconds = Math.ceil((block.endsAt - performance.now()) / 1000);
    if (resetSeconds <= 0) {
      this.#blocks.delete(name);
      return ok();
    }
    const isRepeated = block.hasRefused;
    block.hasRefused = true;
    announce([{ ...block.status, resetSeconds }]);
    return err({ type: 'TooManyRequests', retryAfterSeconds: resetSeconds, isRepeated });
  }

  /** Counts one failure; the last point of the budget starts the block. */
  async count(source: CredentialSource): Promise<void> {
    const { limiter, budgets } = this.#dependencies;
    const { statuses } = await takeLimits(limiter, budgets, limitsOf.failedCredential({ source }));
    for (const status of statuses) if (status.remaining === 0) this.#remember(nameOf(source), status);
  }

  #remember(name: string, status: LimitStatus): void {
    const [oldest] = this.#blocks.keys();
    if (oldest !== undefined && this.#blocks.size >= maxBlocks) this.#blocks.delete(oldest);
    this.#blocks.set(name, {
      status,
      endsAt: performance.now() + status.resetSeconds * 1000,
      hasRefused: false,
    });
  }
}

const nameOf = (source: CredentialSource): string => JSON.stringify(source);

/** A source, and which errors are failed look-ups. */
export interface CountedFailures {
  readonly failures: FailedCredentials;
  readonly source: CredentialSource;
  readonly isFailure: (error: ApiError) => boolean;
}

/** Runs work unless its source is blocked, and counts its failures. */
export const countingFailures = <T>(
  ctx: Context,
  { failures, source, isFailure }: CountedFailures,
  work: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> =>
  failures
    .admit(source, (statuses) => {
      announceLimits(ctx, statuses);
      noteExceeded(ctx, ['credentials']);
    })
    .asyncAndThen(() =>
      work().orElse((error) => {
        if (!isFailure(error)) return errAsync(error);
        return ResultAsync.fromSafePromise(failures.count(source)).andThen(() => err(error));
      }),
    );

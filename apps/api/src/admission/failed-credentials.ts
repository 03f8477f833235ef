import type { LimitStatus } from '@zonewright/core';
import { NewestEntries } from '@zonewright/gate';
import { err, ResultAsync } from 'neverthrow';
import { limitsOf, sourcesOf } from '../http/limits.ts';
import { type LimitSources, takeLimits } from './rate-limits.ts';

/** The source of a credential: a network, or a signed token, which others cannot present. */
export type CredentialSource = readonly string[];

/** Failures are counted directly, never leased. */
type Counter = Pick<LimitSources, 'limiter' | 'budgets'>;

interface Block {
  readonly status: LimitStatus;
  /** In `performance.now()` time. */
  readonly endsAt: number;
}

const maxBlocks = 10_000;

/**
 * Bounds look-ups of unknown credentials: failures are counted in storage, and a source over its limit is rejected
 * without a look-up. Only failures cost a statement. This process caches a block until its end: points of this limit
 * are never refunded, so it cannot end earlier. Other instances learn of a block with their first failure.
 */
export class FailedCredentials {
  readonly #counter: Counter;
  readonly #blocks = new NewestEntries<Block>(maxBlocks);

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** The block of a source that has used up its limit; undefined if it may be looked up. */
  blockOf(source: CredentialSource): LimitStatus | undefined {
    if (this.#blocks.size === 0) return undefined;
    for (const each of sourcesOf(source)) {
      const block = this.#inForce(nameOf(each));
      if (block !== undefined) return block;
    }
    return undefined;
  }

  #inForce(name: string): LimitStatus | undefined {
    const block = this.#blocks.get(name);
    if (block === undefined) return undefined;
    const resetSeconds = Math.ceil((block.endsAt - performance.now()) / 1000);
    if (resetSeconds <= 0) {
      this.#blocks.delete(name);
      return undefined;
    }
    return { ...block.status, resetSeconds };
  }

  /** Counts a failure, and returns its error. */
  counted<E>(source: CredentialSource, error: E): ResultAsync<never, E> {
    return ResultAsync.fromSafePromise(this.#count(source)).andThen(() => err(error));
  }

  /** The last point of the budget starts the block. */
  async #count(source: CredentialSource): Promise<void> {
    const { limiter, budgets } = this.#counter;
    const sources = sourcesOf(source);
    const { statuses } = await takeLimits(limiter, budgets, limitsOf.failedCredential({ source }));
    for (const [index, status] of statuses.entries()) {
      if (status.remaining === 0) {
        const endsAt = performance.now() + status.resetSeconds * 1000;
        this.#blocks.set(nameOf(sources[index] ?? source), { status, endsAt });
      }
    }
  }
}

const nameOf = (source: CredentialSource): string => JSON.stringify(source);

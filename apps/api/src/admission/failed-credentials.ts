import { createHash } from 'node:crypto';
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

/** Beyond this number, the good credential that was used least recently is forgotten. */
const maxGood = 10_000;

/**
 * Bounds look-ups of unknown credentials: failures are counted in storage, and a source over its limit is rejected
 * without a look-up. Only failures cost a statement. This process caches a block until its end: points of this limit
 * are never refunded, so it cannot end earlier. Other instances learn of a block with their first failure.
 *
 * A client that guesses must not lock out others on its network: a credential that this process has found valid there is
 * still looked up. Guesses gain no further look-up from this.
 */
export class FailedCredentials {
  readonly #counter: Counter;
  readonly #blocks = new NewestEntries<Block>(maxBlocks);
  readonly #good = new NewestEntries<true>(maxGood);

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** The block of a source that has used up its limit; undefined if the credential may be looked up. */
  blockOf(source: CredentialSource, secret?: string): LimitStatus | undefined {
    if (this.#blocks.size === 0) return undefined;
    for (const each of sourcesOf(source)) {
      const block = this.#inForce(nameOf(each));
      if (block !== undefined) return this.#isGood(source, secret) ? undefined : block;
    }
    return undefined;
  }

  /** Notes that a credential was found. */
  found(source: CredentialSource, secret: string): void {
    const name = goodName(source, secret);
    // The newest are kept.
    this.#good.delete(name);
    this.#good.set(name, true);
  }

  #isGood(source: CredentialSource, secret: string | undefined): boolean {
    return secret !== undefined && this.#good.get(goodName(source, secret)) === true;
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
  counted<E>(source: CredentialSource, error: E, secret?: string): ResultAsync<never, E> {
    if (secret !== undefined) this.#good.delete(goodName(source, secret));
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

/** Secrets themselves are not kept. */
const goodName = (source: CredentialSource, secret: string): string =>
  createHash('sha256')
    .update(nameOf([...source, secret]))
    .digest('base64');

const nameOf = (source: CredentialSource): string => JSON.stringify(source);

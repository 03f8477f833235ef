import {
  type FeedStatus,
  type Publications,
  StorageUnavailable,
  type Waiting,
  type WaitReason,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { SingleFlight } from './single-flight.ts';
import { Wait } from './wait.ts';

/** What a publisher does, and how often. */
export interface PublisherOptions {
  /** Called once, in the process that works in the background. */
  readonly begin: () => Promise<void>;
  /** Publishes some of what is due; resolves to whether there was anything. */
  readonly publish: () => Promise<boolean>;
  readonly rollOut: () => Promise<void>;
  readonly status: () => Promise<FeedStatus>;
  readonly forget: () => Promise<void>;
  readonly onFailure: (failure: unknown) => void;
}

/** How often a process looks for publications while someone waits for them, and while nobody does. */
const lookMilliseconds = { awaited: 100, otherwise: 1000 } as const;
const rollOutMilliseconds = 1000;
const forgetMilliseconds = 10 * 60 * 1000;
/** Longer than this, nobody waits for a backlog: the request is repeated later. */
const backlogMilliseconds = 10_000;

/**
 * Publishes what is due, one round at a time in this process, and wakes those who wait. One check of the feed serves all
 * of them, however many edges there are. Storage settles which process publishes.
 */
export class Publisher implements Publications {
  readonly #options: PublisherOptions;
  readonly #waits = new Map<string, Wait>();
  readonly #rounds = new SingleFlight(() => this.#publishAll());
  readonly #statuses = new SingleFlight(() => this.#options.status());
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBackground = false;
  #isStopped = false;
  #seen: number | undefined;
  #rolledOutAt = 0;
  #forgotAt = performance.now();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  bringUpToDate(): ResultAsync<void, never> {
    return ResultAsync.fromSafePromise(this.#upToDate());
  }

  wait(owner: string, seconds: number, reason: WaitReason): Waiting {
    this.#waits.get(owner)?.end();
    const wait = new Wait(seconds, reason, () => {
      if (this.#waits.get(owner) === wait) this.#waits.delete(owner);
    });
    if (seconds === 0 || this.#isStopped) {
      wait.end();
      return wait;
    }
    if (this.#waits.size === 0) this.#hurry();
    this.#waits.set(owner, wait);
    this.#lookSoon();
    return wait;
  }

  reported(): void {
    for (const wait of this.#waits.values()) if (wait.reason === 'reports') wait.wake();
  }

  /** Looks for what is due also while nobody waits. */
  start(): void {
    this.#isBackground = true;
    this.#lookAfter(this.#options.begin());
  }

  /** Ends all waits; resolves once no round is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const wait of this.#waits.values()) wait.end();
    await this.#looking;
    await this.#rounds.ended();
  }

  async #upToDate(): Promise<void> {
    const { isDue } = await this.#statuses.next();
    if (isDue) await inTime(this.#rounds.next());
  }

  async #publishAll(): Promise<void> {
    while (!this.#isStopped && (await this.#options.publish()));
  }

  /** The look that is planned for later is too late for the first one who waits. */
  #hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookSoon(): void {
    if (this.#timer !== undefined || this.#looking !== undefined || this.#isStopped) return;
    if (!this.#isBackground && this.#waits.size === 0) return;
    const pause = this.#waits.size > 0 ? lookMilliseconds.awaited : lookMilliseconds.otherwise;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lookAfter(this.#look());
    }, pause);
  }

  #lookAfter(work: Promise<void>): void {
    this.#looking = work.catch(this.#options.onFailure).finally(() => {
      this.#looking = undefined;
      this.#lookSoon();
    });
  }

  async #look(): Promise<void> {
    const now = performance.now();
    if (this.#isBackground && now - this.#forgotAt > forgetMilliseconds) {
      this.#forgotAt = now;
      await this.#options.forget();
    }
    this.#wakeIfNew(await this.#settled(now));
  }

  /** The feed after what can be published now has been. */
  async #settled(now: number): Promise<FeedStatus> {
    const { status, rollOut } = this.#options;
    const first = await status();
    const isRollOutDue = first.isPending && now - this.#rolledOutAt >= rollOutMilliseconds;
    if (!first.isDue && !isRollOutDue) return first;
    if (first.isDue) await this.#rounds.next().catch(this.#options.onFailure);
    if (isRollOutDue) {
      this.#rolledOutAt = now;
      await rollOut();
    }
    return status();
  }

  #wakeIfNew({ publication }: FeedStatus): void {
    const isNew = publication !== this.#seen;
    this.#seen = publication;
    for (const wait of this.#waits.values()) if (isNew || wait.isStale()) wait.wake();
  }
}

/** Rejects if a round takes so long that the request should be repeated later. */
async function inTime(round: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageUnavailable('Much is being published.')), backlogMilliseconds);
  });
  await Promise.race([round, late]).finally(() => clearTimeout(timer));
}

import {
  type CatchingUp,
  type FeedStatus,
  firstRound,
  type Progress,
  type Publications,
  type PublishedBatch,
  type PublishingRound,
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
  /** Publishes some of what is due. */
  readonly publish: (round: PublishingRound) => Promise<PublishedBatch>;
  readonly rollOut: () => Promise<void>;
  readonly status: () => Promise<FeedStatus>;
  readonly forget: () => Promise<void>;
  readonly onFailure: (failure: unknown) => void;
}

/** How often a process looks for publications while someone waits for them, and while nobody does. */
const lookMilliseconds = { awaited: 100, otherwise: 1000 } as const;
const rollOutMilliseconds = 1000;
const forgetMilliseconds = 10 * 60 * 1000;

/**
 * Publishes what is due, one round at a time in this process, and wakes those who wait after each batch. One check of the
 * feed serves all of them, however many edges there are. Storage settles which process publishes.
 */
export class Publisher implements Publications {
  readonly #options: PublisherOptions;
  readonly #waits = new Map<string, Wait>();
  readonly #rounds = new SingleFlight(() => this.#publishRound());
  readonly #statuses = new SingleFlight(() => this.#options.status());
  /** Callbacks of those who wait for a round, called after each batch except the last. */
  readonly #behind = new Set<() => void>();
  #turn = firstRound.turn;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBackground = false;
  #isStopped = false;
  #seen: number | undefined;
  #rolledOutAt = Number.NEGATIVE_INFINITY;
  #forgotAt = performance.now();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  catchUp(seconds: number): CatchingUp {
    const caughtUp = this.#caughtUp(seconds);
    // A failure is for those who ask.
    caughtUp.catch(() => undefined);
    return { next: () => ResultAsync.fromSafePromise(this.#progress(caughtUp)) };
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

  async #caughtUp(seconds: number): Promise<Progress> {
    const { isDue } = await this.#statuses.next();
    if (!isDue) return 'current';
    const isInTime = await inTime(this.#rounds.next(), seconds);
    return isInTime && !this.#isStopped ? 'current' : 'out of time';
  }

  async #progress(caughtUp: Promise<Progress>): Promise<Progress> {
    let tell: () => void = () => undefined;
    const batch = new Promise<Progress>((resolve) => {
      tell = () => resolve('behind');
    });
    this.#behind.add(tell);
    return Promise.race([caughtUp, batch]).finally(() => this.#behind.delete(tell));
  }

  /** Publishes what was due when the round began: what becomes due meanwhile must not keep it from its end. */
  async #publishRound(): Promise<void> {
    let round: PublishingRound = { ...firstRound, turn: this.#turn };
    while (!this.#isStopped) {
      const batch = await this.#options.publish(round);
      round = batch.round;
      this.#turn = round.turn;
      if (batch.isNews) for (const wait of this.#waits.values()) wait.wake();
      if (batch.isOver) return;
      if (batch.isNews) for (const tell of this.#behind) tell();
      await this.#rollOut().catch(this.#options.onFailure);
    }
  }

  /** What canary edges have had for long enough must not wait for the end of a long round. Resolves to whether it was time. */
  async #rollOut(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#rolledOutAt < rollOutMilliseconds) return false;
    this.#rolledOutAt = now;
    await this.#options.rollOut();
    return true;
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
    this.#wakeIfNew(await this.#settled());
  }

  /** The feed after what can be published now has been. */
  async #settled(): Promise<FeedStatus> {
    const { status } = this.#options;
    const first = await status();
    if (first.isDue) await this.#rounds.next().catch(this.#options.onFailure);
    const isRolledOut = first.isPending && (await this.#rollOut());
    return first.isDue || isRolledOut ? status() : first;
  }

  #wakeIfNew({ publication }: FeedStatus): void {
    const isNew = publication !== this.#seen;
    this.#seen = publication;
    for (const wait of this.#waits.values()) if (isNew || wait.isStale()) wait.wake();
  }
}

/** Whether a round ends within the time. */
async function inTime(round: Promise<void>, seconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds * 1000);
  });
  return Promise.race([round.then(() => true), late]).finally(() => clearTimeout(timer));
}

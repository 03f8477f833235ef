import { setTimeout as pause } from 'node:timers/promises';
import type { Changes, NamedZone } from '@zonewright/edge-protocol';
import { err, ok, type Result } from 'neverthrow';
import { rejection } from '../documents/rejection.ts';
import type { RejectedZone } from '../state/stored-table.ts';
import { eachOf } from './each-of.ts';
import { type CallFailure, describeFailure, type FeedShrunk, feedShrunk, machineFailed } from './failures.ts';
import type { HeldZones, OfferedZone } from './held-zones.ts';
import type { PartOfProblem } from './lasting-problem.ts';
import type { ServiceClient } from './service-client.ts';
import { Pauses, type Timing } from './timing.ts';
import { isSuspiciousLoss, WholeState } from './whole-state.ts';

/** Documents that are fetched at a time. */
const concurrency = 8;
/** How many of the zones that the service would remove are named in a report. */
const reportedLosses = 100;

/** What reading the feed needs. */
export interface FeedOptions {
  readonly client: Pick<ServiceClient, 'changes' | 'document'>;
  readonly zones: HeldZones;
  readonly timing: Timing;
  /** Written about while the service cannot be reached or refuses this edge. */
  readonly problem: PartOfProblem;
  /** Called whenever something was applied or rejected, and when the service is there again. */
  readonly onChange: () => void;
}

/** Whether an answer said anything. */
type StepResult = 'something' | 'nothing';

/**
 * Follows the feed of changes: asks what is new, fetches documents, applies them, writes them to disk, and asks again.
 * Whatever fails, the zones that are served stay as they are.
 */
export class FeedReader {
  readonly #options: FeedOptions;
  readonly #pauses: Pauses;
  readonly #stop = new AbortController();
  /** Undefined, unless a whole state is being read. */
  #whole: WholeState | undefined;
  /** The position of the last answer of that whole state. */
  #page: string | undefined;
  #losses: readonly RejectedZone[] = [];
  #answeredAt: number | undefined;
  /** Whether the last step did. */
  #hasFailed = false;
  #hasRetriedAll = false;
  #retriedAt = Number.NEGATIVE_INFINITY;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options.timing);
  }

  /** Zones that the service would remove without saying that it means to. */
  get refusedLosses(): readonly RejectedZone[] {
    return this.#losses;
  }

  /** When the service last answered, in milliseconds of `performance.now()`; undefined: never. */
  get answeredAt(): number | undefined {
    return this.#answeredAt;
  }

  /** Resolves after `stop`. */
  async run(): Promise<void> {
    const { problem, timing } = this.#options;
    while (!this.#isStopped) {
      const askedAt = performance.now();
      const outcome = await this.step().catch((error: Error) => err(machineFailed(error.message)));
      if (this.#isStopped) break;
      if (outcome.isOk()) {
        this.#succeeded();
        // A service that does not wait is not asked all the time.
        if (outcome.value === 'nothing') await this.#pause(timing.firstPause - (performance.now() - askedAt));
      } else {
        this.#hasFailed = true;
        problem.begin(describeFailure(outcome.error));
        await this.#pause(this.#pauses.next());
      }
    }
    problem.stop();
  }

  #succeeded(): void {
    const { problem, onChange } = this.#options;
    problem.end();
    this.#pauses.reset();
    if (this.#hasFailed) onChange();
    this.#hasFailed = false;
  }

  /** The step under way is finished; calls of the client have to be ended by closing it. */
  stop(): void {
    this.#stop.abort();
  }

  /** Asks once, and applies the answer. */
  async step(): Promise<Result<StepResult, CallFailure | FeedShrunk>> {
    await this.#retry();
    const { client, zones } = this.#options;
    const after = this.#whole === undefined ? zones.position : this.#page;
    const changes = await client.changes(after, this.#waitSeconds());
    if (changes.isErr()) return err(changes.error);
    this.#answeredAt = performance.now();
    if (after === undefined || changes.value.reset) this.#whole ??= new WholeState(zones.digests().size);
    return this.#apply(changes.value);
  }

  async #apply(changes: Changes): Promise<Result<StepResult, CallFailure | FeedShrunk>> {
    const { zones, onChange } = this.#options;
    const named = changes.zones.filter((zone): zone is NamedZone => 'digest' in zone);
    this.#whole?.name(named.map(({ id }) => id));
    const losses = this.#lossesOf(changes);
    const acceptable = this.#requireMeant(changes, losses);
    if (acceptable.isErr()) return err(acceptable.error);
    const fetched = await this.#fetchAll(this.#wantedOf(named));
    if (fetched.isErr()) {
      await zones.commit(undefined);
      onChange();
      return err(fetched.error);
    }
    if (this.#isStopped) return ok('nothing');
    for (const id of losses) zones.remove(id);
    await this.#commit(changes);
    if (changes.zones.length === 0 && losses.length === 0) return ok(changes.more ? 'something' : 'nothing');
    onChange();
    return ok('something');
  }

  /** Documents that are not in use, also of zones that get back an old document after a rejected one. */
  #wantedOf(named: readonly NamedZone[]): readonly NamedZone[] {
    const { zones } = this.#options;
    const held = zones.digests();
    const rejected = new Set(zones.rejected().map(({ id }) => id));
    return named.filter(({ id, digest }) => held.get(id) !== digest || rejected.has(id));
  }

  /** The zones that this answer takes away. */
  #lossesOf({ zones, more }: Changes): readonly string[] {
    const held = this.#options.zones.digests();
    const removed = zones.flatMap((zone) => ('removed' in zone ? [zone.id] : []));
    const unnamed = this.#whole === undefined || more ? [] : this.#whole.unnamed(held.keys());
    return [...new Set([...removed, ...unnamed])];
  }

  /** An edge that would suddenly lose many zones keeps them, unless the service says that this is meant. */
  #requireMeant({ shrink }: Changes, losses: readonly string[]): Result<void, FeedShrunk> {
    const held = this.#options.zones.digests();
    const before = this.#whole?.before ?? held.size;
    if (this.#whole !== undefined) this.#whole.isShrinkMeant ||= shrink === true;
    const isMeant = shrink === true || this.#whole?.isShrinkMeant === true;
    const lost = losses.flatMap((id) => {
      const digest = held.get(id);
      return digest === undefined ? [] : [{ id, digest }];
    });
    const isRefused = !isMeant && isSuspiciousLoss(lost.length, before);
    this.#losses = isRefused ? lost.slice(0, reportedLosses).map(refusedLoss) : [];
    if (!isRefused) return ok();
    this.#whole = undefined;
    this.#options.onChange();
    return err(feedShrunk(lost.length, before));
  }

  /** A whole state counts only when it is complete: after a crash in its middle, it is read again from its beginning. */
  async #commit({ position, more }: Changes): Promise<void> {
    const { zones } = this.#options;
    if (this.#whole !== undefined && more) {
      this.#page = position;
      await zones.commit(undefined);
      return;
    }
    this.#whole = undefined;
    await zones.commit(position);
  }

  /** Fetches documents; one that cannot be used concerns its zone alone. Fails if the service cannot be reached. */
  async #fetchAll(wanted: readonly OfferedZone[]): Promise<Result<void, CallFailure>> {
    let failure: CallFailure | undefined;
    await eachOf(wanted, concurrency, async (zone) => {
      if (failure !== undefined || this.#isStopped) return;
      const fetched = await this.#fetch(zone);
      if (fetched.isErr()) failure = fetched.error;
    });
    return failure === undefined ? ok() : err(failure);
  }

  async #fetch(zone: OfferedZone): Promise<Result<void, CallFailure>> {
    const { client, zones } = this.#options;
    const bytes = await client.document(zone.digest);
    if (bytes.isOk()) {
      const refused = await zones.accept(zone, bytes.value);
      if (refused !== undefined) zones.reject(zone, refused);
      return ok();
    }
    if (bytes.error.type !== 'DocumentUnavailable') return err(bytes.error);
    zones.reject(zone, rejection('document.fetch', `The service answers ${bytes.error.status} to it.`));
    return ok();
  }

  /** Asks again for documents that the next answer need not name. */
  async #retry(): Promise<void> {
    const { zones, timing, onChange } = this.#options;
    const wanted = this.#retryable();
    const isDue = !this.#hasRetriedAll || performance.now() - this.#retriedAt >= timing.retry;
    if (wanted.length === 0) this.#hasRetriedAll = true;
    if (wanted.length === 0 || !isDue) return;
    this.#retriedAt = performance.now();
    const fetched = await this.#fetchAll(wanted);
    if (fetched.isErr() || this.#isStopped) return;
    this.#hasRetriedAll = true;
    await zones.commit(undefined);
    onChange();
  }

  /** Those that did not arrive whole; after a start all, because the edge may be able to do more than before. */
  #retryable(): readonly RejectedZone[] {
    const rejected = this.#options.zones.rejected();
    if (!this.#hasRetriedAll) return rejected;
    return rejected.filter(({ code }) => code === 'document.fetch' || code === 'document.digest');
  }

  #waitSeconds(): number {
    const { timing } = this.#options;
    // After a failure the answer comes at once, so that it is known when the service is there again.
    if (this.#whole !== undefined || this.#hasFailed) return 0;
    return this.#retryable().length === 0
      ? timing.waitSeconds
      : Math.min(timing.waitSeconds, Math.ceil(timing.retry / 1000));
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    // Rejects only when it is stopped.
    return pause(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
  }
}

const refusedLoss = (zone: OfferedZone): RejectedZone => ({
  ...zone,
  ...rejection('feed.shrunk', 'The service would remove it with many others, without saying that this is meant.'),
});

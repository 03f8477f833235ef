import type { ShareBounds } from './bounds.ts';
import { ByteShare, Room } from './byte-share.ts';
import { Places } from './places.ts';
import { WorkShare } from './work-share.ts';

/** What one zone has of what the process has. */
export class ZoneShare {
  readonly evaluation: WorkShare;
  readonly originRequests: Places;
  readonly upgrades: Places;
  readonly bytes: ByteShare;

  constructor({ zone, client }: ShareBounds, all: Room, now: () => number) {
    const { evaluationPerSecond: perSecond, evaluationKept: kept, evaluationFree: free } = zone;
    this.evaluation = new WorkShare({ perSecond, kept, free }, now);
    this.originRequests = new Places({
      places: zone.originRequests,
      placesPerClient: client.originRequests,
      waiting: zone.waiting,
      waitingPerClient: client.waiting,
      waitSeconds: zone.waitSeconds,
    });
    this.upgrades = new Places({
      places: zone.upgrades,
      placesPerClient: client.upgrades,
      // They may last for hours: nobody waits for the end of one.
      waiting: 0,
      waitingPerClient: 0,
      waitSeconds: 0,
    });
    this.bytes = new ByteShare(zone.bufferedBytes, all);
  }

  /** Whether a new one would be the same. */
  get isUnused(): boolean {
    const { evaluation, originRequests, upgrades, bytes } = this;
    return originRequests.isEmpty && upgrades.isEmpty && bytes.isEmpty && evaluation.isWhole;
  }
}

/** Zones that are remembered before unused ones are forgotten. */
const fewZones = 1000;

/** The shares of all zones. A new document of a zone changes nothing about its share. */
export class ZoneShares {
  readonly #bounds: ShareBounds;
  readonly #now: () => number;
  readonly #all: Room;
  readonly #shares = new Map<string, ZoneShare>();
  #limit = fewZones;

  constructor(bounds: ShareBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
    this.#all = new Room(bounds.process.bufferedBytes);
  }

  get size(): number {
    return this.#shares.size;
  }

  /** The share of the zone with this id. */
  of(zone: string): ZoneShare {
    const before = this.#shares.get(zone);
    if (before !== undefined) return before;
    if (this.#shares.size >= this.#limit) this.#forgetUnused();
    const share = new ZoneShare(this.#bounds, this.#all, this.#now);
    this.#shares.set(zone, share);
    return share;
  }

  #forgetUnused(): void {
    for (const [zone, share] of this.#shares) if (share.isUnused) this.#shares.delete(zone);
    this.#limit = Math.max(fewZones, 2 * this.#shares.size);
  }
}

import { LatestUsed, type Zone, type ZoneState } from '@zonewright/core';

/** A state, and the name that no other state of the zone ever has. */
export interface KnownState {
  readonly name: string;
  readonly state: ZoneState;
}

/** A zone in one state, and the bytes of its settings. */
export interface RememberedZone {
  readonly zone: Zone;
  readonly bytes: number;
}

/** What is remembered of zones. */
export interface ZoneMemory {
  /** Zones alone, by id and state. */
  readonly zones: LatestUsed<RememberedZone>;
  /** Zones with everything inside them, by id: each in the state that was read or made last. */
  readonly states: LatestUsed<KnownState>;
}

/** Bytes of texts that are usually remembered of each: some thousand zones, some hundred with everything inside them. */
export const zoneMemoryBytes = 12 * 2 ** 20;

/** For one database. */
export const zoneMemory = (maxBytes = zoneMemoryBytes): ZoneMemory => ({
  zones: new LatestUsed(maxBytes),
  states: new LatestUsed(maxBytes),
});

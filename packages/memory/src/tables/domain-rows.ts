import type { Domain } from '@zonewright/core';

/** A domain with what looks at it depend on. */
export interface DomainRow {
  readonly domain: Domain;
  readonly stateSince: Date;
  readonly misses: number;
  readonly missingSince: Date | undefined;
}

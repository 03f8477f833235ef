import type { ZoneRepositories } from '../zones/repositories.ts';
import type { EdgeFeed, EdgeStates, Edges, Rollouts, ZoneCredentials } from './edges/ports.ts';

/** The repositories of delivery, and those of the zones that are delivered. */
export interface DeliveryRepositories extends ZoneRepositories {
  readonly edges: Edges;
  readonly edgeStates: EdgeStates;
  readonly edgeFeed: EdgeFeed;
  readonly rollouts: Rollouts;
  readonly zoneCredentials: ZoneCredentials;
}

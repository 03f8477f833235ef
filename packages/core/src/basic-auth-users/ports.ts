import type { ResultAsync } from 'neverthrow';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';

/** People who may pass HTTP Basic Authentication in front of a zone. */
export interface BasicAuthUsers {
  /** The ids of all users of the zone. */
  idsIn(zone: ZoneId): ResultAsync<ReadonlySet<BasicAuthUserId>, never>;
}

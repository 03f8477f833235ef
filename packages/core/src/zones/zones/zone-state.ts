import type { BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { RulesOfZone } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleRank } from '../rule-kinds/rule-order.ts';
import type { Zone } from './zone.ts';

/**
 * A zone and everything in it at one revision. Every change raises the revision, so (id, revision) identifies one
 * immutable state. Password hashes are not included.
 */
export interface ZoneState {
  readonly zone: Zone;
  /** Each list in evaluation order. */
  readonly rules: RulesOfZone;
  /** The rank of each rule, in the order of its list. */
  readonly ranks: Readonly<Record<RuleKind, readonly RuleRank[]>>;
  /** The revision of each list, which increases with every write of the list or its rules; 0: never written. */
  readonly listRevisions: Readonly<Record<RuleKind, number>>;
  /** Ordered by id. */
  readonly users: readonly BasicAuthUser[];
}

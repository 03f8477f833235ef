import type { RulesOfZone } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleRank } from '../rule-kinds/rule-rank.ts';
import type { RuleId } from '../shared/ids.ts';
import type { BasicAuthUser } from './basic-auth-user.ts';
import type { Zone } from './zone.ts';

/**
 * A zone and everything inside it at one revision. Whatever changes any of it raises the revision, so (id, revision) names
 * one state for ever. Hashes of passwords are not part of it.
 */
export interface ZoneState {
  readonly zone: Zone;
  /** Every list in evaluation order. */
  readonly rules: RulesOfZone;
  /** What puts each rule at its position, for rules of every list. */
  readonly ranks: ReadonlyMap<RuleId, RuleRank>;
  /** The revision of each list, which grows with every write of the list or of a rule in it; 0: never written. */
  readonly listRevisions: Readonly<Record<RuleKind, number>>;
  /** By id. */
  readonly users: readonly BasicAuthUser[];
}

import type { RuleListName, SettingKey } from '@zonewright/engine';
import type { Witness } from './finding.ts';

/** The differences that a request can meet. */
export type ChangeKey =
  | 'answer'
  | 'request'
  | `settings.${SettingKey}`
  | 'backend'
  | 'skips'
  | 'scenarios'
  | 'basicAuthUsers';

/** A rule or backend, by list and id. */
export interface Reason {
  readonly list: RuleListName | 'originServers' | 'loadBalancers';
  readonly id: string;
}

/** The rules and backends that cause a request's treatment in each configuration; empty if none does. */
export interface Because {
  readonly before: readonly Reason[];
  readonly after: readonly Reason[];
}

/** A difference for some requests, with a witness that both configurations have evaluated. */
export interface BehaviourChange {
  readonly key: ChangeKey;
  /** The value before and after; null if a setting has none. */
  readonly from: unknown;
  readonly to: unknown;
  readonly because: Because;
  /** One sentence for people. */
  readonly message: string;
  readonly witness: Witness;
}

/** The differences in behaviour between two configurations. */
export interface BehaviourDiff {
  /**
   * Whether the changes cover, by `key` and reasons, every request that is treated differently. With no changes: no
   * request is.
   */
  readonly complete: boolean;
  /** Complete, and nothing changes. */
  readonly harmless: boolean;
  /** One sentence for people. */
  readonly message: string;
  /** At most 50, one per key and reasons, in a fixed order of keys, then by reasons. */
  readonly changes: readonly BehaviourChange[];
}

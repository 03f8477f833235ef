import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import { type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { ZoneWithContents } from './ports.ts';
import { basicAuthUsersPerZone } from './zone.ts';
import { mayReadZone, type ZoneAccessError } from './zone-access.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';

/** How much of a limit is used. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** A zone with its rules, and how much of its limits it uses. */
export interface ZoneDetails extends ZoneWithContents {
  readonly usage: Readonly<Record<UsageCounter, Usage>>;
}

/** `rules`, `waf` and `scenarios` sum up; the others count one kind of nested item each. */
export type UsageCounter =
  | 'rules'
  | 'waf'
  | 'scenarios'
  | 'configurationRules'
  | 'rewriteRules'
  | 'accessRules'
  | 'securityScenarios'
  | 'basicAuthUsers';

export type ReadZone = (caller: Caller, id: ZoneId) => ResultAsync<ZoneDetails, ZoneAccessError>;

/** One zone with full settings, nested items and usage counters (interface, "Zone endpoints"). */
export const readZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadZone =>
  (caller, id) =>
    unitOfWork
      .view((repositories) => mayReadZone(repositories, caller, id).andThen(() => repositories.zones.withContents(id)))
      .map((contents) => ({ ...contents, zone: zoneAsSeenBy(caller, contents.zone), usage: usageOf(contents) }));

function usageOf({ rules, basicAuthUserCount }: ZoneWithContents): ZoneDetails['usage'] {
  const usage = (kind: RuleKind): Usage => ({ used: rules[kind].length, limit: ruleKinds[kind].limit });
  const [configurationRules, rewriteRules] = [usage('configurationRule'), usage('rewriteRule')];
  const [accessRules, securityScenarios] = [usage('accessRule'), usage('securityScenario')];
  return {
    rules: {
      used: configurationRules.used + rewriteRules.used,
      limit: configurationRules.limit + rewriteRules.limit,
    },
    waf: accessRules,
    scenarios: securityScenarios,
    configurationRules,
    rewriteRules,
    accessRules,
    securityScenarios,
    basicAuthUsers: { used: basicAuthUserCount, limit: basicAuthUsersPerZone },
  };
}

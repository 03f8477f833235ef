import type { ResultAsync } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import { memoized } from '../../kernel/shared/memoized.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Usage, UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { type RuleListName, ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { Zones } from './ports.ts';
import { mayReadZone, type ZoneAccessError } from './zone-access.ts';
import { maskedZone, zoneAsSeenBy } from './zone-as-seen.ts';
import type { ZoneState } from './zone-state.ts';

/** A zone with its rules, and its usage of limits. */
export interface ZoneDetails extends Pick<ZoneState, 'zone' | 'rules'> {
  readonly usage: Readonly<Record<UsageCounter, Usage>>;
}

/** `rules`, `waf` and `scenarios` are totals; the others each count one kind of nested item. */
export type UsageCounter = 'rules' | 'waf' | 'scenarios' | RuleListName | 'basicAuthUsers';

/** One zone with full settings, nested items and usage counters (interface, "Zone endpoints"). */
export const readZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<{ readonly zones: Zones }> }) =>
  (caller: Caller, id: ZoneId): ResultAsync<ZoneDetails, ZoneAccessError> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, id).andThen(({ limits }) =>
        repositories.zones.state(id).map((state) => detailsAsSeenBy(caller, state, limits)),
      ),
    );

const detailsAsSeenBy = (caller: Caller, state: ZoneState, limits: UsageLimits): ZoneDetails => {
  const details = detailsOf(state)(limits);
  return zoneAsSeenBy(caller, state.zone) === state.zone ? details : maskedDetails(details);
};

const maskedDetails = memoized((details: ZoneDetails): ZoneDetails => ({ ...details, zone: maskedZone(details.zone) }));

const detailsOf = memoized((state: ZoneState) =>
  memoized(
    (limits: UsageLimits): ZoneDetails => ({ zone: state.zone, rules: state.rules, usage: usageOf(state, limits) }),
  ),
);

function usageOf({ rules, users }: ZoneState, limits: UsageLimits): ZoneDetails['usage'] {
  const usage = (kind: RuleKind): Usage => ({ used: rules[kind].length, limit: limits[ruleListNames[kind]] });
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
    basicAuthUsers: { used: users.length, limit: limits.basicAuthUsers },
  };
}

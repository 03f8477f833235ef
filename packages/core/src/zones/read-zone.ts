import type { ResultAsync } from 'neverthrow';
import { mayIn } from '../organizations/organization-access.ts';
import { rulesPerZone } from '../rules/rule.ts';
import type { Caller } from '../sessions/caller.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { asSeenBy } from './list-zones.ts';
import type { ZoneWithContents } from './ports.ts';
import type { ZoneAccessError } from './zone-access.ts';

/** How much of a limit is used. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

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
      .view(({ zones }) =>
        zones
          .organizationOf(id)
          .andThen((organization) => mayIn(caller, organization, 'zones.read'))
          .andThen(() => zones.withContents(id)),
      )
      .map((contents) => ({ ...contents, zone: asSeenBy(caller, contents.zone), usage: usageOf(contents) }));

/** What a zone may hold at most. */
export const zoneLimits = {
  configurationRules: rulesPerZone,
  rewriteRules: 50,
  accessRules: 100,
  securityScenarios: 20,
  basicAuthUsers: 50,
} as const;

function usageOf({ configurationRules, basicAuthUserCount }: ZoneWithContents): ZoneDetails['usage'] {
  const used = {
    configurationRules: configurationRules.length,
    rewriteRules: 0,
    accessRules: 0,
    securityScenarios: 0,
    basicAuthUsers: basicAuthUserCount,
  };
  const usage = (kind: keyof typeof used): Usage => ({ used: used[kind], limit: zoneLimits[kind] });
  return {
    rules: {
      used: used.configurationRules + used.rewriteRules,
      limit: zoneLimits.configurationRules + zoneLimits.rewriteRules,
    },
    waf: usage('accessRules'),
    scenarios: usage('securityScenarios'),
    configurationRules: usage('configurationRules'),
    rewriteRules: usage('rewriteRules'),
    accessRules: usage('accessRules'),
    securityScenarios: usage('securityScenarios'),
    basicAuthUsers: usage('basicAuthUsers'),
  };
}

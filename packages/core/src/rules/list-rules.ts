import type { ResultAsync } from 'neverthrow';
import { mayIn } from '../organizations/organization-access.ts';
import type { Caller } from '../sessions/caller.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ConfigurationRule } from './rule.ts';

export interface ListRulesQuery extends PageRequest {
  /** Parts of names, in any letter case; a rule is listed when its name contains one of them. Empty: all rules. */
  readonly names: readonly string[];
}

export type ListRules = (
  caller: Caller,
  zoneId: ZoneId,
  query: ListRulesQuery,
) => ResultAsync<Page<ConfigurationRule>, ZoneAccessError>;

/** The rules of a zone in evaluation order. */
export const listRules =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListRules =>
  (caller, zoneId, { names, ...page }) =>
    unitOfWork.view(({ zones, configurationRules }) =>
      zones
        .organizationOf(zoneId)
        .andThen((organization) => mayIn(caller, organization, 'zones.read'))
        .andThen(() => configurationRules.list(zoneId, names, page)),
    );

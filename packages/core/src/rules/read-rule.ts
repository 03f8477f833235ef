import type { ResultAsync } from 'neverthrow';
import { mayIn } from '../organizations/organization-access.ts';
import type { Caller } from '../sessions/caller.ts';
import type { RuleId, ZoneId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleNotFound } from './errors.ts';
import type { ConfigurationRule } from './rule.ts';

export type ReadRule = (
  caller: Caller,
  zoneId: ZoneId,
  id: RuleId,
) => ResultAsync<ConfigurationRule, ZoneAccessError | RuleNotFound>;

/** One rule of a zone. */
export const readRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadRule =>
  (caller, zoneId, id) =>
    unitOfWork.view(({ zones, configurationRules }) =>
      zones
        .organizationOf(zoneId)
        .andThen((organization) => mayIn(caller, organization, 'zones.read'))
        .andThen(() => configurationRules.byId(zoneId, id)),
    );

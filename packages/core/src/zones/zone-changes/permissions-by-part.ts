import type { JsonObject } from '../../kernel/shared/json.ts';
import type { Permission } from '../../organizations/access/role.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import { isEmptyPlan, type ZonePlan } from './zone-plan.ts';

/** What changing a part of a zone requires. A new part has to be added, or the record does not compile. */
const permissionsOfPlans = {
  names: 'zones.write',
  settings: 'zones.write',
  hostnames: 'zones.write',
  banToken: 'banToken.rotate',
  lists: 'rules.write',
  users: 'basicAuthUsers.write',
} as const satisfies Record<keyof ZonePlan, Permission>;

/** The same for the members of a zone's document. */
const permissionsOfMembers: ReadonlyMap<string, Permission> = new Map(
  Object.entries({
    name: 'zones.write',
    tag: 'zones.write',
    hostnames: 'zones.write',
    zone_settings: 'zones.write',
    rewriteRules: 'rules.write',
    configurationRules: 'rules.write',
    accessRules: 'rules.write',
    securityScenarios: 'rules.write',
    basicAuthUsers: 'basicAuthUsers.write',
  } as const satisfies Record<keyof ZoneDocument, Permission>),
);

/** What carrying out the plan requires of the caller, whatever the request was. */
export const permissionsForPlan = (plan: ZonePlan): readonly Permission[] => [
  ...new Set(
    // The record has exactly the names of the parts.
    (Object.keys(permissionsOfPlans) as (keyof ZonePlan)[])
      .filter((part) => !isEmptyPlan({ [part]: plan[part] }))
      .map((part) => permissionsOfPlans[part]),
  ),
];

/** What the changes of a patch of a zone's document require. Unknown members change nothing, but are no way around. */
export const permissionsForPatch = (patch: JsonObject): readonly Permission[] => [
  ...new Set(Object.keys(patch).map((member) => permissionsOfMembers.get(member) ?? 'zones.write')),
];

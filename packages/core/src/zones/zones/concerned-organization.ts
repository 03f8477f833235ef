import { okAsync, type ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { Zones } from './ports.ts';

interface Repositories {
  readonly organizations: Organizations;
  readonly zones: Zones;
}

/** What the address of a request names, if anything of an organization. */
export interface NamedObject {
  readonly organization?: OrganizationId | undefined;
  readonly zone?: ZoneId | undefined;
}

/** The organization whose audit log a refusal belongs to, and whether the refused caller is among its members. */
export interface Concern {
  readonly organization: OrganizationId;
  readonly isMember: boolean;
}

/** Finds the organization that a request concerns; undefined if it names none, or none that exists. */
export type ConcernedOrganization = (caller: Caller, named: NamedObject) => ResultAsync<Concern | undefined, never>;

export const concernedOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }): ConcernedOrganization =>
  ({ memberships }, { organization, zone }) => {
    const concern = (id: OrganizationId): Concern => ({ organization: id, isMember: memberships.has(id) });
    if (organization !== undefined) {
      if (memberships.has(organization)) return okAsync(concern(organization));
      return unitOfWork
        .view(({ organizations }) => organizations.byId(organization))
        .map(({ id }): Concern | undefined => concern(id))
        .orElse(() => okAsync(undefined));
    }
    if (zone === undefined) return okAsync(undefined);
    return unitOfWork
      .view(({ zones }) => zones.head(zone))
      .map(({ organizationId }): Concern | undefined => concern(organizationId))
      .orElse(() => okAsync(undefined));
  };

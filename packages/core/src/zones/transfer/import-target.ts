import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { CombinedUnits, UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { BackendsOfOrganization } from '../../organizations/backends/ports.ts';
import type { ZoneDependencies } from '../dependencies.ts';
import type { ZoneRepositories } from '../repositories.ts';

/** The ports that an import needs. */
export interface ImportDependencies
  extends Pick<ZoneDependencies, 'randomness' | 'basicAuthPasswords' | 'originNetworks'> {
  readonly unitOfWork: UnitOfWork<ZoneRepositories> & CombinedUnits;
}

/** How an import treats what the organization already has. */
export interface ImportOptions {
  /** Uses backends of the same name instead of creating others; the import is refused where they differ. */
  readonly reuseBackends: boolean;
  /** Changes zones of the same name and tag, by one revision each, instead of creating others. */
  readonly update: boolean;
  /** Validates everything and reports what would happen, but changes nothing. */
  readonly isRehearsal: boolean;
}

/** Where an import adds things, and the new ids assigned so far. */
export interface ImportTarget {
  readonly dependencies: ImportDependencies;
  readonly caller: Caller;
  readonly organization: OrganizationId;
  readonly options: ImportOptions;
  /** The backends that the organization had before the import. */
  readonly present: BackendsOfOrganization;
  readonly ids: Map<string, string>;
}

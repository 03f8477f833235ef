import type { Caller } from '../access/caller.ts';
import type { OriginNetworks } from '../backends/address.ts';
import type { BackendsOfOrganization } from '../backends/ports.ts';
import type { BasicAuthPasswordHashes } from '../basic-auth-users/ports.ts';
import type { CombinedUnits, UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';

/** The ports that an import needs. */
export interface ImportDependencies {
  readonly unitOfWork: UnitOfWork & CombinedUnits;
  readonly randomness: Randomness;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
  readonly originNetworks: OriginNetworks;
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

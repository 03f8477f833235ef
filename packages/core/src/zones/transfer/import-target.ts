import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { CombinedUnits, UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { OriginNetworks } from '../../organizations/backends/address.ts';
import type {
  Backends,
  BackendsOfOrganization,
  LoadBalancers,
  OriginServers,
} from '../../organizations/backends/ports.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import type { BasicAuthPasswordHashes } from '../basic-auth-users/ports.ts';
import type { ZoneHistory } from '../history/ports.ts';
import type { HostNameTaking } from '../zone-changes/take-host-names.ts';
import type { Zones } from '../zones/ports.ts';

interface Repositories extends HostNameTaking {
  readonly auditLog: AuditLog;
  readonly backends: Backends;
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly memberships: Memberships;
  readonly originServers: OriginServers;
  readonly storageQuotas: StorageQuotas;
  readonly zones: Zones;
}

/** The ports that an import needs. */
export interface ImportDependencies {
  readonly randomness: Randomness;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
  readonly originNetworks: OriginNetworks;
  readonly unitOfWork: UnitOfWork<Repositories> & CombinedUnits;
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

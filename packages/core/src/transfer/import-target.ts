import type { Caller } from '../access/caller.ts';
import type { BasicAuthPasswordHashes } from '../basic-auth-users/ports.ts';
import type { CombinedUnits, UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';

/** The ports that an import needs. */
export interface ImportDependencies {
  readonly unitOfWork: UnitOfWork & CombinedUnits;
  readonly randomness: Randomness;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
}

/** Where an import adds things, and the new ids assigned so far. */
export interface ImportTarget {
  readonly dependencies: ImportDependencies;
  readonly caller: Caller;
  readonly organization: OrganizationId;
  readonly ids: Map<string, string>;
}

import type { Caller } from '../access/caller.ts';
import type { BasicAuthPasswordHashes } from '../basic-auth-users/ports.ts';
import type { UnitOfWork, WholeUnits } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';

/** What an import needs from outside. */
export interface ImportDependencies {
  readonly unitOfWork: UnitOfWork & WholeUnits;
  readonly randomness: Randomness;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
}

/** Where an import adds to, and what ids of the document have become so far. */
export interface ImportPlace {
  readonly dependencies: ImportDependencies;
  readonly caller: Caller;
  readonly organization: OrganizationId;
  readonly ids: Map<string, string>;
}

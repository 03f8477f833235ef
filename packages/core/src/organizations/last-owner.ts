import { err, ok, type ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type LastOwner, lastOwner } from './errors.ts';

/** In a unit that has locked the organization: two owners who leave at once must not both succeed. */
export const requireAnotherOwner = ({ members }: Repositories, id: OrganizationId): ResultAsync<void, LastOwner> =>
  members.ownerCount(id).andThen((owners) => (owners > 1 ? ok() : err(lastOwner())));

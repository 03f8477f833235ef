import { err, ok, type ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type LastOwner, lastOwner } from './errors.ts';

/** The unit must have locked the organization: of two owners who leave concurrently, one must stay. */
export const requireAnotherOwner = ({ members }: Repositories, id: OrganizationId): ResultAsync<void, LastOwner> =>
  members.ownerCount(id).andThen((owners) => (owners > 1 ? ok() : err(lastOwner())));

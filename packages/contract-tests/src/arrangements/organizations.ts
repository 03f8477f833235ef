import type { Organization, OrganizationId, ProviderId, Role, SessionCaller, UserId } from '@zonewright/core';
import { anOrganizationName } from '../builders/index.ts';
import { runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { storedAccount } from './accounts.ts';
import { callerWith } from './credentials.ts';

/** An account, the organization it owns, and its caller for use cases. */
export interface Owner {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly caller: SessionCaller;
}

/** Stores an account and the organization it owns. */
export async function storedOwner(storage: Storage): Promise<Owner> {
  const { id: userId } = await storedAccount(storage);
  const { id: organizationId } = await runUnit(storage, ({ organizations }) =>
    organizations.create({ name: anOrganizationName(), owner: userId }),
  );
  return { userId, organizationId, caller: callerWith(userId, organizationId, 'owner') };
}

/** Stores an account with a role in an organization. */
export async function storedMember(storage: Storage, organization: OrganizationId, role: Role): Promise<SessionCaller> {
  const { id } = await storedAccount(storage);
  await runUnit(storage, ({ members }) => members.add(organization, id, role));
  return callerWith(id, organization, role);
}

/** Deletes an organization. */
export const removeOrganization = (storage: Storage, id: OrganizationId): Promise<void> =>
  runUnit(storage, ({ organizations }) => organizations.lock(id).andThen(() => organizations.remove(id)));

/** Requires sessions of a provider in an organization. */
export const requireProvider = (
  storage: Storage,
  id: OrganizationId,
  requiredProvider: ProviderId,
): Promise<Organization> =>
  runUnit(storage, ({ organizations }) =>
    organizations
      .lock(id)
      .andThen(({ name, enforceTwoFactor }) => organizations.save(id, { name, enforceTwoFactor, requiredProvider })),
  );

/** Changes whether an organization requires two-factor authentication. */
export const enforceTwoFactor = (storage: Storage, id: OrganizationId, demanded = true): Promise<Organization> =>
  runUnit(storage, ({ organizations }) =>
    organizations.lock(id).andThen(({ name }) => organizations.save(id, { name, enforceTwoFactor: demanded })),
  );

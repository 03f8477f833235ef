import { type ListZonesQuery, type PlausibleCredential, ProviderId, type Subject } from '@zonewright/core';
import { enforceTwoFactor, type Owner, requireProvider, storedOwner, storedZone } from '../arrangements/index.ts';
import { aZoneName, wholeList } from '../builders/index.ts';
import { okOf } from '../results.ts';
import type { Storage } from '../storage.ts';

type Kind = PlausibleCredential['kind'];

/** The provider that one of the organizations requires. */
export const corp = ProviderId.parse('corp');

/** A query without filters for the largest possible page. */
export const everything: ListZonesQuery = {
  organization: undefined,
  tags: [],
  search: undefined,
  sort: [],
  ...wholeList,
};

/** The credentials that a request may come with: names, kinds, and whether for one organization only. */
export const credentials: readonly (readonly [what: string, kind: Kind, limited: boolean])[] = [
  ['a session', 'session', false],
  ['an API token', 'apiToken', false],
  ['an API token for one organization', 'apiToken', true],
];

/**
 * A member of four organizations, one of which requires two-factor authentication and one a provider, with zones in all
 * of them and in another one.
 */
export async function storedMemberOfMany(storage: Storage) {
  const four = () => Promise.all([1, 2, 3, 4].map(() => storedOwner(storage)));
  // There are four.
  const owners = (await four()) as [Owner, Owner, Owner, Owner];
  const [own, shared, demanding, corporate] = owners;
  await storage.setRole(shared.organizationId, own.userId, 'viewer');
  await storage.setRole(demanding.organizationId, own.userId, 'editor');
  await storage.setRole(corporate.organizationId, own.userId, 'admin');
  for (const owner of [...owners, await storedOwner(storage)]) {
    for (const tag of ['prod', 'stage', 'dev'] as const) await storedZone(storage, { owner, name: aZoneName(), tag });
  }
  await enforceTwoFactor(storage, demanding.organizationId);
  await requireProvider(storage, corporate.organizationId, corp);
  return {
    userId: own.userId,
    own: own.organizationId,
    shared: shared.organizationId,
    demanding: demanding.organizationId,
    corporate: corporate.organizationId,
  };
}

/** The member, by the organizations that the member belongs to. */
export type Member = Awaited<ReturnType<typeof storedMemberOfMany>>;

/** Opens a session and authenticates its caller, as a request does. */
export async function openSession({ unitOfWork }: Storage, credential: PlausibleCredential, subject: Subject) {
  const session = unitOfWork.session(credential, subject);
  return { session, caller: await okOf(session.caller()) };
}

import type {
  AddedUser,
  BasicAuthUser,
  Repositories,
  Rule,
  RuleKind,
  RuleList,
  RuleOrder,
  WrittenRule,
  Zone,
  ZoneId,
  ZoneNotFound,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import { aBasicAuthUser, aRule, aUserId, aZone, type NewZone } from '../builders/index.ts';
import { readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { applied, withRules, withUsers } from './changes.ts';
import { type Owner, storedOwner } from './organizations.ts';

/** A zone and the owner of its organization. */
export interface OwnedZone extends Owner {
  readonly zone: Zone;
}

/** Stores a zone, by default with a new owner. */
export async function storedZone(
  storage: Storage,
  { owner, ...given }: Partial<NewZone> & { readonly owner?: Owner } = {},
): Promise<OwnedZone> {
  const having = owner ?? (await storedOwner(storage));
  const { organizationId, userId } = having;
  const zone = await runUnit(storage, ({ zones }) => zones.add(aZone({ organizationId, createdBy: userId, ...given })));
  return { ...having, zone };
}

/** Appends rules to a list. */
export const addRules = async (storage: Storage, list: RuleList, rules: readonly WrittenRule[]): Promise<void> => {
  await runUnit(storage, (repositories) => applied(repositories, list.zone, withRules(list, rules)));
};

/** Removes a zone. */
export const removed = ({ zones, zoneChanges }: Repositories, zone: ZoneId): ResultAsync<void, ZoneNotFound> =>
  zoneChanges.lock(zone, aUserId()).andThen(() => zones.remove(zone, undefined));

/** Stores a zone with several rules of a kind, and resolves to both. */
export async function storedZoneWithRules(storage: Storage, count: number, kind: RuleKind = 'configurationRule') {
  const owned = await storedZone(storage);
  const list: RuleList = { zone: owned.zone.id, kind };
  const rules = Array.from({ length: count }, () => aRule(kind));
  await addRules(storage, list, rules);
  return { ...owned, zoneId: owned.zone.id, list, rules, order: rules.map(({ id }): RuleOrder[number] => id) };
}

/** The committed rules of a list in evaluation order. */
export const rulesOf = async (storage: Storage, { zone, kind }: RuleList): Promise<readonly Rule[]> =>
  (await readView(storage, ({ zones }) => zones.state(zone))).rules[kind];

/** Adds a basic-auth user to a zone. */
export const storedBasicAuthUser = (
  storage: Storage,
  zone: ZoneId,
  given: Partial<AddedUser> = {},
): Promise<BasicAuthUser> => {
  const user = aBasicAuthUser(given);
  return runUnit(storage, (repositories) =>
    applied(repositories, zone, withUsers({ added: [user] })).andThen(() =>
      repositories.basicAuthUsers.byId(zone, user.id),
    ),
  );
};

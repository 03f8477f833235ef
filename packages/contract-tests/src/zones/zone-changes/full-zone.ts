import type { RuleList, ZoneState } from '@zonewright/core';
import { applied, type OwnedZone, storedZone, withRules, withUsers } from '../../arrangements/index.ts';
import { aBasicAuthUser, aRule } from '../../builders/index.ts';
import { readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** A zone with three rules in each of two lists, and two users. */
export async function fullZone(storage: Storage) {
  const owned = await storedZone(storage);
  const { id } = owned.zone;
  for (const kind of ['configurationRule', 'accessRule'] as const) {
    const rules = ['a', 'b', 'c'].map((name) => aRule(kind, { name, path: `/${name}` }));
    await runUnit(storage, (repositories) => applied(repositories, id, withRules({ zone: id, kind }, rules)));
  }
  const added = [aBasicAuthUser(), aBasicAuthUser()];
  await runUnit(storage, (repositories) => applied(repositories, id, withUsers({ added })));
  await storage.passTime(10);
  return { ...owned, list: { zone: id, kind: 'configurationRule' } satisfies RuleList, users: added };
}

/** The facts that a change of the zone by its owner is decided on. */
export const factsOf = (storage: Storage, { zone, userId }: Pick<OwnedZone, 'zone' | 'userId'>) =>
  readView(storage, ({ zoneChanges }) => zoneChanges.facts(zone.id, userId));

/** The committed state of the zone. */
export const stateOf = (storage: Storage, { zone }: Pick<OwnedZone, 'zone'>) =>
  readView(storage, ({ zones }) => zones.state(zone.id));

/** A state as plain values, with documents as text. */
export const plain = (state: ZoneState): unknown =>
  JSON.parse(
    JSON.stringify(state, (key, value: unknown) =>
      ['content', 'settings'].includes(key) ? (value as { readonly text: string }).text : value,
    ),
  );

/** What is stored for a full zone. */
export type Full = Awaited<ReturnType<typeof fullZone>>;

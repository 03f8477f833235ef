import {
  type BasicAuthUserId,
  defaultZoneSettings,
  jsonDocument,
  type RuleId,
  type RuleList,
  ZoneSettings,
} from '@zonewright/core';
import { expect } from 'chai';
import { addRules, applied, listAs, storedZone, withUsers } from '../arrangements/index.ts';
import { aBasicAuthUser, aRule, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { concurrently, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/**
 * Every read is a consistent snapshot. Each write stores its number in two places, so an inconsistent read would show
 * two different numbers.
 */
export const readsDuringWritesContract = contract('Reads beside writes contract', (storage) => {
  it('never mix the settings of a zone with rules of another revision', async () => {
    const { zone } = await storedZone(storage());
    const list: RuleList = { zone: zone.id, kind: 'accessRule' };
    const { id } = await storedRule(storage(), list);
    const write = (number: number) =>
      runUnit(storage(), (repositories) =>
        applied(repositories, zone.id, (state) => ({
          ...listAs(list, () => [numbered(id, number)])(state),
          settings: settingsWith(number),
        })),
      );
    await write(1);
    const pairs = await readBeside(write, async () => {
      const { zone: shown, rules } = await readView(storage(), ({ zones }) => zones.state(zone.id));
      const { revision, settings } = shown;
      // The rule was created at revision 2.
      return [revision - 2, settings.value.cachingDefaultTtl, Number(rules.accessRule[0]?.content.value.name)];
    });
    expect(pairs.filter((numbers) => new Set(numbers).size > 1)).to.deep.equal([]);
  });

  it('never mix the rules of a list with another revision number', async () => {
    const { zone } = await storedZone(storage());
    const list: RuleList = { zone: zone.id, kind: 'accessRule' };
    const { id, revision: first } = await storedRule(storage(), list);
    const write = (number: number) =>
      runUnit(storage(), (repositories) =>
        applied(
          repositories,
          zone.id,
          listAs(list, () => [numbered(id, number)]),
        ),
      );
    await write(1);
    const pairs = await readBeside(write, async () => {
      const { items, revision } = await readView(storage(), ({ rules }) => rules.list(list, [], wholeList));
      return [revision - first, Number(items[0]?.content.value.name)];
    });
    expect(pairs.filter((numbers) => new Set(numbers).size > 1)).to.deep.equal([]);
  });

  it('never show a number of basic-auth users that differs from the list', async () => {
    const { zone } = await storedZone(storage());
    let last: BasicAuthUserId | undefined;
    const write = () =>
      runUnit(storage(), (repositories) => {
        const [gone, user] = [last, aBasicAuthUser()];
        last = gone === undefined ? user.id : undefined;
        const users = gone === undefined ? { added: [user] } : { removed: [gone] };
        return applied(repositories, zone.id, withUsers(users));
      });
    const pairs = await readBeside(write, async () => {
      const { items, totalItems } = await readView(storage(), ({ basicAuthUsers }) =>
        basicAuthUsers.list(zone.id, undefined, wholeList),
      );
      return [items.length, totalItems];
    });
    expect(pairs.filter((numbers) => new Set(numbers).size > 1)).to.deep.equal([]);
  });
});

const writes = 30;
const readers = 4;

/** What four readers saw during the writes: they read repeatedly until the last write is done. */
async function readBeside<T>(
  write: (number: number) => Promise<unknown>,
  read: () => Promise<T>,
): Promise<readonly T[]> {
  const state = { isWriting: true };
  const reading = concurrently(readers, async () => {
    const seenHere: T[] = [];
    while (state.isWriting) seenHere.push(await read());
    return seenHere;
  });
  for (let number = 2; number <= writes; number += 1) await write(number);
  state.isWriting = false;
  return (await reading).flat();
}

const settingsWith = (number: number) =>
  jsonDocument(ZoneSettings.parse({ ...defaultZoneSettings, cachingDefaultTtl: number }));

const numbered = (id: RuleId, number: number) => aRule('accessRule', { id, name: String(number) });

/** The only rule of a list, and the list's revision. */
async function storedRule(storage: Storage, list: RuleList) {
  const rule = aRule('accessRule');
  await addRules(storage, list, [rule]);
  const { revision } = await readView(storage, ({ rules }) => rules.list(list, [], wholeList));
  return { id: rule.id, revision };
}

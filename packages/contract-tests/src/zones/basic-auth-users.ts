import { type BasicAuthUser, BasicAuthUsername, type PageRequest, type ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { storedBasicAuthUser, storedZone } from '../arrangements/index.ts';
import { aBasicAuthUserId, aZoneId, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const basicAuthUsersContract = contract('BasicAuthUsers contract', (storage) => {
  describe('byId', () => reading(storage));
  describe('list', () => listing(storage));
});

const named = (name: string) => ({ username: BasicAuthUsername.parse(name) });

/** A zone with users of these names, created in this order. */
async function zoneWith(storage: Storage, names: readonly string[]) {
  const { zone } = await storedZone(storage);
  const users: BasicAuthUser[] = [];
  for (const name of names) users.push(await storedBasicAuthUser(storage, zone.id, named(name)));
  return { zoneId: zone.id, users };
}

function reading(storage: () => Storage): void {
  it('does not find a user that does not exist, or that is in another zone', async () => {
    const [first, second] = [await zoneWith(storage(), ['Ada']), await zoneWith(storage(), ['Grace'])];
    for (const id of [aBasicAuthUserId(), second.users[0]!.id]) {
      const read = storage().unitOfWork.view(({ basicAuthUsers }) => basicAuthUsers.byId(first.zoneId, id));
      expect(await errorOf(read)).to.deep.equal({ type: 'BasicAuthUserNotFound' });
    }
  });
}

function listing(storage: () => Storage): void {
  const listed = async (zone: ZoneId, username: string | undefined, page: PageRequest = wholeList) => {
    const { items, totalItems } = await readView(storage(), ({ basicAuthUsers }) =>
      basicAuthUsers.list(zone, username, page),
    );
    return { names: items.map(({ username }): string => username), totalItems };
  };

  it('lists the users of the zone by name, in code point order', async () => {
    // In UTF-16 code unit order, the last two would be swapped.
    const names = ['Z', 'a', 'Ä', '｡', '😀'];
    const { zoneId } = await zoneWith(storage(), ['😀', 'a', '｡', 'Z', 'Ä']);
    await zoneWith(storage(), ['elsewhere']);
    expect(await listed(zoneId, undefined)).to.deep.equal({ names, totalItems: 5 });
  });

  it('shows whole users', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['a', 'b']);
    const found = await readView(storage(), ({ basicAuthUsers }) => basicAuthUsers.list(zoneId, undefined, wholeList));
    expect(found).to.deep.equal({ items: users, totalItems: 2 });
  });

  it('lists nobody in a zone without users, and in a zone that does not exist', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    for (const id of [zoneId, aZoneId()]) {
      expect(await listed(id, undefined)).to.deep.equal({ names: [], totalItems: 0 });
    }
  });

  const searches = [
    { title: 'part of a name', username: 'av', finds: ['grave'] },
    { title: 'another case', username: 'CAFÉ', finds: ['Café', 'café'] },
    { title: 'a percent sign, literally', username: '%', finds: ['50%'] },
    { title: 'an underscore, literally', username: 'a_', finds: ['a_b'] },
    { title: 'a backslash, literally', username: '\\', finds: ['c\\d'] },
    { title: 'no existing user', username: 'omega', finds: [] },
  ];
  for (const { title, username, finds } of searches) {
    it(`finds users by ${title}`, async () => {
      const { zoneId } = await zoneWith(storage(), ['café', 'Café', 'grave', '50%', 'a_b', 'axb', 'c\\d']);
      expect(await listed(zoneId, username)).to.deep.equal({ names: finds, totalItems: finds.length });
    });
  }

  it('pages the list, always with the total', async () => {
    const { zoneId } = await zoneWith(storage(), ['b4', 'c5', 'other', 'a1', 'a3', 'a2']);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listed(zoneId, undefined, { page, itemsPerPage: 2 }));
    expect(pages.map(({ names }) => names)).to.deep.equal([['a1', 'a2'], ['a3', 'b4'], ['c5', 'other'], []]);
    expect(await listed(zoneId, 'a', { page: 2, itemsPerPage: 2 })).to.deep.equal({ names: ['a3'], totalItems: 3 });
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([6, 6, 6, 6]);
  });

  it('returns only the total for a page without items', async () => {
    const { zoneId } = await zoneWith(storage(), ['a', 'b']);
    expect(await listed(zoneId, undefined, { page: 1, itemsPerPage: 0 })).to.deep.equal({ names: [], totalItems: 2 });
  });
}

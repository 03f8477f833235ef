import {
  BasicAuthComment,
  type BasicAuthPasswordHash,
  type BasicAuthUser,
  BasicAuthUsername,
  type PageRequest,
  type ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { storedBasicAuthUser, storedZone } from './arrangements.ts';
import { aBasicAuthHash, aBasicAuthUser, aBasicAuthUserId, aZoneId, wholeList } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { atOnce, done, errorOf, okOf, racers, seen, tally } from './results.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function basicAuthUsersContract(adapter: string, open: OpenStorage): void {
  describe(`BasicAuthUsers contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('add', () => addition(storage));
    describe('byId', () => reading(storage));
    describe('list', () => listing(storage));
    describe('all and idsIn', () => everyone(storage));
    describe('save', () => saving(storage));
    describe('remove', () => removal(storage));
  });
}

const named = (name: string) => ({ username: BasicAuthUsername.parse(name) });

/** A zone with users of these names, in this order of creation. */
async function zoneWith(storage: Storage, names: readonly string[]) {
  const { zone } = await storedZone(storage);
  const users: BasicAuthUser[] = [];
  for (const name of names) users.push(await storedBasicAuthUser(storage, zone.id, named(name)));
  return { zoneId: zone.id, users };
}

const allOf = (storage: Storage, zone: ZoneId) => seen(storage, ({ basicAuthUsers }) => basicAuthUsers.all(zone));

function addition(storage: () => Storage): void {
  const add = (zoneId: ZoneId, name: string) =>
    storage().unitOfWork.run(({ zones, basicAuthUsers }) =>
      zones
        .lock(zoneId)
        .andThen(() => basicAuthUsers.add(aBasicAuthUser({ zoneId, ...named(name) }), aBasicAuthHash())),
    );

  it('keeps the user as it was given, and resolves to what is read back', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    const comment = BasicAuthComment.parse('two\nlines');
    const draft = aBasicAuthUser({ zoneId, ...named('Straße 東京'), comment });
    const hash = aBasicAuthHash();
    const added = await done(storage(), ({ basicAuthUsers }) => basicAuthUsers.add(draft, hash));
    const { createdAt, updatedAt, ...rest } = added;
    expect(rest).to.deep.equal({ ...draft, revision: 1 });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
    expect(await seen(storage(), ({ basicAuthUsers }) => basicAuthUsers.byId(zoneId, draft.id))).to.deep.equal(added);
    expect(await storage().basicAuthHash(draft.id)).to.equal(hash);
  });

  it('refuses a name that another user of the zone has, and keeps that user', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['Ada']);
    expect(await errorOf(add(zoneId, 'Ada'))).to.deep.equal({ type: 'UsernameTaken' });
    expect(await allOf(storage(), zoneId)).to.deep.equal(users);
  });

  it('takes a name that differs in letter case only, and one that a user of another zone has', async () => {
    const [first, second] = [await zoneWith(storage(), ['Ada']), await zoneWith(storage(), [])];
    await okOf(add(first.zoneId, 'ADA'));
    await okOf(add(second.zoneId, 'Ada'));
  });

  it('adds one of twenty users of one name', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    const results = await atOnce(racers, () => add(zoneId, 'Ada'));
    expect(tally(results)).to.deep.equal({ Ok: 1, UsernameTaken: racers - 1 });
  });

  it('adds one of twenty users of one name even when nobody locked the zone', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    const results = await atOnce(racers, () =>
      storage().unitOfWork.run(({ basicAuthUsers }) =>
        basicAuthUsers.add(aBasicAuthUser({ zoneId, ...named('Ada') }), aBasicAuthHash()),
      ),
    );
    expect(tally(results)).to.deep.equal({ Ok: 1, UsernameTaken: racers - 1 });
  });
}

function reading(storage: () => Storage): void {
  it('does not find a user that is not there, or that is in another zone', async () => {
    const [first, second] = [await zoneWith(storage(), ['Ada']), await zoneWith(storage(), ['Grace'])];
    for (const id of [aBasicAuthUserId(), second.users[0]!.id]) {
      const read = storage().unitOfWork.view(({ basicAuthUsers }) => basicAuthUsers.byId(first.zoneId, id));
      expect(await errorOf(read)).to.deep.equal({ type: 'BasicAuthUserNotFound' });
    }
  });
}

function listing(storage: () => Storage): void {
  const listed = async (zone: ZoneId, username: string | undefined, page: PageRequest = wholeList) => {
    const { items, totalItems } = await seen(storage(), ({ basicAuthUsers }) =>
      basicAuthUsers.list(zone, username, page),
    );
    return { names: items.map((user) => user.username as string), totalItems };
  };

  it('lists the users of that zone by name, in order of code points', async () => {
    // By UTF-16 code units the last two would change places.
    const names = ['Z', 'a', 'Ä', '｡', '😀'];
    const { zoneId } = await zoneWith(storage(), ['😀', 'a', '｡', 'Z', 'Ä']);
    await zoneWith(storage(), ['elsewhere']);
    expect(await listed(zoneId, undefined)).to.deep.equal({ names, totalItems: 5 });
  });

  it('shows whole users', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['a', 'b']);
    const found = await seen(storage(), ({ basicAuthUsers }) => basicAuthUsers.list(zoneId, undefined, wholeList));
    expect(found).to.deep.equal({ items: users, totalItems: 2 });
  });

  it('lists nobody in a zone without users, and in a zone that is not there', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    for (const id of [zoneId, aZoneId()]) {
      expect(await listed(id, undefined)).to.deep.equal({ names: [], totalItems: 0 });
    }
  });

  const searches = [
    { title: 'part of a name', username: 'av', finds: ['grave'] },
    { title: 'another letter case', username: 'CAFÉ', finds: ['Café', 'café'] },
    { title: 'a percent sign, literally', username: '%', finds: ['50%'] },
    { title: 'an underscore, literally', username: 'a_', finds: ['a_b'] },
    { title: 'a backslash, literally', username: '\\', finds: ['c\\d'] },
    { title: 'nobody who is there', username: 'omega', finds: [] },
  ];
  for (const { title, username, finds } of searches) {
    it(`finds users by ${title}`, async () => {
      const { zoneId } = await zoneWith(storage(), ['café', 'Café', 'grave', '50%', 'a_b', 'axb', 'c\\d']);
      expect(await listed(zoneId, username)).to.deep.equal({ names: finds, totalItems: finds.length });
    });
  }

  it('cuts the list into pages, each with the total', async () => {
    const { zoneId } = await zoneWith(storage(), ['b4', 'c5', 'other', 'a1', 'a3', 'a2']);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listed(zoneId, undefined, { page, itemsPerPage: 2 }));
    expect(pages.map(({ names }) => names)).to.deep.equal([['a1', 'a2'], ['a3', 'b4'], ['c5', 'other'], []]);
    expect(await listed(zoneId, 'a', { page: 2, itemsPerPage: 2 })).to.deep.equal({ names: ['a3'], totalItems: 3 });
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([6, 6, 6, 6]);
  });

  it('gives only the total when nobody is asked for', async () => {
    const { zoneId } = await zoneWith(storage(), ['a', 'b']);
    expect(await listed(zoneId, undefined, { page: 1, itemsPerPage: 0 })).to.deep.equal({ names: [], totalItems: 2 });
  });
}

function everyone(storage: () => Storage): void {
  const idsIn = (zone: ZoneId) => seen(storage(), ({ basicAuthUsers }) => basicAuthUsers.idsIn(zone));

  it('tell all users of the zone and of no other, by id', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['c', 'a', 'b']);
    await zoneWith(storage(), ['elsewhere']);
    expect(await allOf(storage(), zoneId)).to.deep.equal(users);
    expect(await idsIn(zoneId)).to.deep.equal(new Set(users.map(({ id }) => id)));
  });

  it('know none in a zone without users, and none in a zone that is not there', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    for (const id of [zoneId, aZoneId()]) {
      expect(await allOf(storage(), id)).to.deep.equal([]);
      expect(await idsIn(id)).to.deep.equal(new Set());
    }
  });
}

function saving(storage: () => Storage): void {
  it('changes the comment, resolves to what is read back, and keeps name, time of creation and other users', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['Ada', 'Grace']);
    await storage().passTime(10);
    const [before, other] = await allOf(storage(), zoneId);
    const comment = BasicAuthComment.parse('changed');
    const saved = await done(storage(), ({ zones, basicAuthUsers }) =>
      zones.lock(zoneId).andThen(() => basicAuthUsers.save({ ...users[0]!, comment }, undefined)),
    );
    expect(saved).to.deep.equal({ ...before, comment, revision: 2, updatedAt: saved.updatedAt });
    expect(saved.updatedAt.getTime()).to.be.greaterThan(before!.updatedAt.getTime());
    expect(await allOf(storage(), zoneId)).to.deep.equal([saved, other]);
  });

  it('keeps the hash unless one is given', async () => {
    const { users } = await zoneWith(storage(), ['Ada', 'Grace']);
    const [ada, grace] = [users[0]!, users[1]!];
    const [first, others] = [await storage().basicAuthHash(ada.id), await storage().basicAuthHash(grace.id)];
    const save = (hash: BasicAuthPasswordHash | undefined) =>
      done(storage(), ({ basicAuthUsers }) => basicAuthUsers.save(ada, hash));
    await save(undefined);
    expect(await storage().basicAuthHash(ada.id)).to.equal(first);
    const fresh = aBasicAuthHash();
    await save(fresh);
    expect(await storage().basicAuthHash(ada.id)).to.equal(fresh);
    expect(await storage().basicAuthHash(grace.id)).to.equal(others);
  });

  it('changes nothing in a unit that is undone', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['Ada']);
    const hash = await storage().basicAuthHash(users[0]!.id);
    await storage().unitOfWork.run(({ basicAuthUsers }) =>
      basicAuthUsers
        .save({ ...users[0]!, comment: BasicAuthComment.parse('changed') }, aBasicAuthHash())
        .andThen(() => errAsync('undo')),
    );
    expect(await allOf(storage(), zoneId)).to.deep.equal(users);
    expect(await storage().basicAuthHash(users[0]!.id)).to.equal(hash);
  });
}

function removal(storage: () => Storage): void {
  const remove = (zone: ZoneId, id: BasicAuthUser['id']) =>
    done(storage(), ({ zones, basicAuthUsers }) => zones.lock(zone).andThen(() => basicAuthUsers.remove(zone, id)));

  it('removes that user only, and sets the name free', async () => {
    const { zoneId, users } = await zoneWith(storage(), ['Ada', 'Grace']);
    await remove(zoneId, users[0]!.id);
    expect(await allOf(storage(), zoneId)).to.deep.equal([users[1]]);
    await storedBasicAuthUser(storage(), zoneId, named('Ada'));
  });

  it('does nothing to a user of another zone, or to one that is not there', async () => {
    const [first, second] = [await zoneWith(storage(), ['Ada']), await zoneWith(storage(), ['Grace'])];
    for (const id of [second.users[0]!.id, aBasicAuthUserId()]) await remove(first.zoneId, id);
    expect(await allOf(storage(), first.zoneId)).to.deep.equal(first.users);
    expect(await allOf(storage(), second.zoneId)).to.deep.equal(second.users);
  });
}

import { type ListZonesQuery, type OrganizationId, ProviderId, type ZoneSort } from '@zonewright/core';
import { expect } from 'chai';
import { storedCredential, storedSecondFactor } from '../arrangements/index.ts';
import { anApiToken, aZoneId, wholeList } from '../builders/index.ts';
import { okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { listedBy, listedFor } from './listed-zones.ts';
import { corp, credentials, everything, type Member, openSession, storedMemberOfMany } from './member.ts';

/** A page of zones, read with the caller. */
export function zoneLists(storage: () => Storage): void {
  const byKey = (key: ZoneSort['key'], direction: ZoneSort['direction']) => [{ key, direction }];
  const queries: readonly (readonly [what: string, query: (member: Member) => Partial<ListZonesQuery>])[] = [
    ['everything', () => ({})],
    ['one tag, by name', () => ({ tags: ['stage'], sort: byKey('name', 'desc') })],
    ['tags, and one of them twice', () => ({ tags: ['dev', 'prod', 'dev'], sort: byKey('tag', 'desc') })],
    ['a part of the name', () => ({ search: 'ZONE', sort: byKey('createdAt', 'asc') })],
    ['a search without matches', () => ({ search: 'no match' })],
    ['one organization', ({ shared }) => ({ organization: shared, sort: byKey('updatedAt', 'desc') })],
    ['an organization that requires a second factor', ({ demanding }) => ({ organization: demanding })],
    ['an organization that requires a provider', ({ corporate }) => ({ organization: corporate })],
    // An id that storage has not given out.
    ['an organization of others', () => ({ organization: 2_000_000_000 as OrganizationId })],
  ];

  for (const [who, kind, limited] of credentials) {
    it(`has the page that anybody reads, with ${who}`, async () => {
      const member = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, member.userId, limited ? [member.shared] : []);
      for (const hasSecondFactor of [false, true]) {
        if (hasSecondFactor) await storedSecondFactor(storage(), member.userId);
        for (const [what, query] of queries) {
          for (const page of [wholeList, { page: 2, itemsPerPage: 2 }, { page: 9, itemsPerPage: 5 }]) {
            const given = { ...everything, ...query(member), ...page };
            const expected = await listedFor(storage(), credential, given);
            expect(await listedBy(storage(), credential, given), what).to.deep.equal(expected);
          }
        }
      }
    });
  }

  it('has only the zones that an API token is limited to, also when it is read again', async () => {
    const member = await storedMemberOfMany(storage());
    const credential = await storedCredential(storage(), 'apiToken', member.userId);
    const { items } = await listedFor(storage(), credential, everything);
    const zones = [...items.filter((_, index) => index % 2 === 0).map(({ id }) => id), aZoneId()];
    const token = anApiToken({ userId: member.userId, zones });
    await runUnit(storage(), ({ apiTokens }) => apiTokens.add(token));
    for (const [what, query] of [...queries, ...queries]) {
      const given = { ...everything, ...query(member) };
      const all = await listedFor(storage(), credential, given);
      const expected = all.items.filter(({ id }) => zones.includes(id));
      const found = await listedBy(storage(), { kind: 'apiToken', hash: token.hash }, given);
      expect(found, what).to.deep.equal({ items: expected, totalItems: expected.length });
    }
  });

  it('may be another one than the request is about', async () => {
    const { userId, own, shared } = await storedMemberOfMany(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const filter = { organizations: [own], tags: [], search: undefined };
    const others: readonly Parameters<Parameters<Parameters<Storage['unitOfWork']['view']>[0]>[0]['zones']['list']>[] =
      [
        [filter, [], wholeList],
        [{ ...filter, organizations: [own, shared], tags: ['dev'] }, [], wholeList],
        [{ ...filter, organizations: [own, shared] }, byKey('name', 'desc'), wholeList],
        [{ ...filter, organizations: [own, shared] }, [], { page: 2, itemsPerPage: 1 }],
      ];
    for (const other of others) {
      const { session } = await openSession(storage(), credential, { kind: 'zone list', query: everything });
      const expected = await readView(storage(), ({ zones }) => zones.list(...other));
      expect(await okOf(session.view(({ zones }) => zones.list(...other)))).to.deep.equal(expected);
    }
  });
}

/** A page of zones of an organization that requires a provider. */
export function listsByProvider(storage: () => Storage): void {
  it('has the zones of an organization that requires a provider only for sessions from it', async () => {
    const { userId, corporate } = await storedMemberOfMany(storage());
    const query: ListZonesQuery = { ...everything, organization: corporate };
    for (const [provider, zones] of [
      [undefined, 0],
      [corp, 3],
      [ProviderId.parse('other'), 0],
      [corp, 3],
    ] as const) {
      const credential = await storedCredential(storage(), 'session', userId, [], provider);
      const { items, totalItems } = await listedBy(storage(), credential, query);
      expect([items.length, totalItems], provider).to.deep.equal([zones, zones]);
    }
    const token = await storedCredential(storage(), 'apiToken', userId);
    expect((await listedBy(storage(), token, query)).totalItems).to.equal(3);
  });
}

import type { ListZonesQuery, OrganizationId, Subject, Zone, ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import {
  addRules,
  applied,
  enforceTwoFactor,
  removed,
  storedCredential,
  storedSecondFactor,
  storedZone,
} from '../arrangements/index.ts';
import { aRule, aZoneName, wholeList } from '../builders/index.ts';
import { okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { listedBy, listedFor, listedOrganizations } from './listed-zones.ts';
import { everything, type Member, openSession, storedMemberOfMany } from './member.ts';

/** A page of zones that was read before: never an older state than the current one. */
export function repeatedLists(storage: () => Storage): void {
  const query: ListZonesQuery = { ...everything, sort: [{ key: 'name', direction: 'asc' }] };
  const zonesOf = async (organization: OrganizationId): Promise<readonly Zone[]> => {
    const filter = { organizations: [organization], tags: [], search: undefined };
    return (await readView(storage(), ({ zones }) => zones.list(filter, query.sort, wholeList))).items;
  };
  const firstZone = async ({ own }: Member) => (await zonesOf(own))[0]!;
  const change = async (member: Member, plan: Parameters<typeof applied>[2]) => {
    const { id } = await firstZone(member);
    await runUnit(storage(), (repositories) => applied(repositories, id, plan));
  };
  const remove = (id: ZoneId) => runUnit(storage(), (repositories) => removed(repositories, id));
  const changes: readonly (readonly [what: string, make: (member: Member) => Promise<unknown>])[] = [
    ['a zone is added', ({ userId, own }) => storedZone(storage(), { organizationId: own, createdBy: userId })],
    ['a zone is removed', async (member) => remove((await firstZone(member)).id)],
    ['a zone is renamed', (member) => change(member, () => ({ names: { name: aZoneName('renamed'), tag: 'dev' } }))],
    ['a ban token is replaced', (member) => change(member, () => ({ banToken: 'another' }))],
    [
      'a rule is added',
      async (member) => {
        await addRules(storage(), { zone: (await firstZone(member)).id, kind: 'accessRule' }, [aRule('accessRule')]);
      },
    ],
    [
      'all zones are removed',
      async ({ own }) => {
        for (const { id } of await zonesOf(own)) await remove(id);
      },
    ],
    ['the user leaves an organization', ({ userId, own }) => storage().setRole(own, userId, undefined)],
    ['an organization requires a second factor', ({ own }) => enforceTwoFactor(storage(), own)],
    ['the user has a second factor', ({ userId }) => storedSecondFactor(storage(), userId)],
  ];

  for (const [what, make] of changes) {
    it(`is read again when ${what}`, async () => {
      const member = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), 'session', member.userId);
      const before = await listedBy(storage(), credential, query);
      expect(await listedBy(storage(), credential, query)).to.deep.equal(before);
      await make(member);
      const after = await listedFor(storage(), credential, query);
      expect(after).to.not.deep.equal(before);
      for (let times = 0; times < 2; times += 1) {
        expect(await listedBy(storage(), credential, query)).to.deep.equal(after);
      }
    });
  }

  it('comes with the role that the caller has by then, also if another organization is listed', async () => {
    const { userId, own, shared } = await storedMemberOfMany(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const subject: Subject = { kind: 'zone list', query: { ...query, organization: own } };
    const role = async () => (await openSession(storage(), credential, subject)).caller.memberships.get(shared)?.role;
    for (let times = 0; times < 2; times += 1) expect(await role()).to.equal('viewer');
    await storage().setRole(shared, userId, 'admin');
    for (let times = 0; times < 2; times += 1) expect(await role()).to.equal('admin');
  });

  it('is different for each credential', async () => {
    const { userId, own, shared } = await storedMemberOfMany(storage());
    const tokens = [await storedCredential(storage(), 'apiToken', userId, [own])];
    tokens.push(await storedCredential(storage(), 'apiToken', userId, [shared]));
    tokens.push(await storedCredential(storage(), 'session', userId));
    for (let times = 0; times < 2; times += 1) {
      const counts: number[] = [];
      for (const token of tokens) {
        const listed = await listedBy(storage(), token, query);
        expect(listed).to.deep.equal(await listedFor(storage(), token, query));
        counts.push(listed.totalItems);
      }
      expect(counts).to.deep.equal([3, 3, 6]);
    }
  });

  it('never has an older state of a zone, and none that is deleted', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    for (let revision = 2; revision < 12; revision += 1) {
      await runUnit(storage(), (repositories) =>
        applied(repositories, zone.id, () => ({ banToken: `token ${revision}` })),
      );
      const [listed] = (await listedBy(storage(), credential, query)).items;
      expect([listed?.banToken, listed?.revision]).to.deep.equal([`token ${revision}`, revision]);
    }
    const { session, caller } = await openSession(storage(), credential, { kind: 'zone list', query });
    await remove(zone.id);
    const filter = { organizations: listedOrganizations(caller, undefined), tags: [], search: undefined };
    for (let times = 0; times < 2; times += 1) {
      const { items } = await okOf(session.view(({ zones }) => zones.list(filter, query.sort, wholeList)));
      if (times === 1) expect(items).to.deep.equal([]);
    }
  });
}

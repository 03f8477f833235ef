import {
  type AuthenticatedCaller,
  type ListZonesQuery,
  type OrganizationId,
  openOrganizations,
  type PlausibleCredential,
  ProviderId,
  type Repositories,
  type Subject,
  unauthenticated,
  type Zone,
  type ZoneId,
  type ZoneSort,
  zoneNotFound,
  zonesOf,
} from '@zonewright/core';
import { expect } from 'chai';
import {
  addRules,
  applied,
  block,
  callerOf,
  enforceTwoFactor,
  type Owner,
  removed,
  requireProvider,
  storedCredential,
  storedOwner,
  storedSecondFactor,
  storedSession,
  storedZone,
} from './arrangements.ts';
import { anApiToken, aRule, aSessionId, aTokenHash, aZoneId, aZoneName, wholeList } from './builders.ts';
import { contract } from './fresh-storage.ts';
import { errorOf, okOf, readView, runUnit } from './results.ts';
import type { Storage } from './storage.ts';

type Kind = PlausibleCredential['kind'];

/** The contract of sessions of storage: the same as units of work, whatever the request is about. */
export const storageSessionContract = contract('StorageSession contract', (storage) => {
  const subjects: readonly (readonly [what: string, subject: Subject | undefined])[] = [
    ['nothing in particular', undefined],
    ['the profile', { kind: 'profile' }],
    ['a zone', { kind: 'zone', id: aZoneId() }],
    ['a change of a zone', { kind: 'zone change', id: aZoneId() }],
    ['a list of zones', { kind: 'zone list', query: everything }],
  ];
  for (const [what, subject] of subjects) {
    describe(`the caller of a request about ${what}`, () => callers(storage, subject));
  }
  describe('a profile', () => profiles(storage));
  describe('a zone', () => oneZone(storage));
  describe('a change of a zone', () => zoneChanges(storage));
  describe('a list of zones', () => zoneLists(storage));
  describe('a list of zones', () => listsByProvider(storage));
  describe('a list of zones that was read before', () => repeatedLists(storage));
  describe('reads after a change', () => currentReads(storage));
});

const corp = ProviderId.parse('corp');
const everything: ListZonesQuery = { organization: undefined, tags: [], search: undefined, sort: [], ...wholeList };

const credentials: readonly (readonly [what: string, kind: Kind, limited: boolean])[] = [
  ['a session', 'session', false],
  ['an API token', 'apiToken', false],
  ['an API token for one organization', 'apiToken', true],
];

/**
 * A member of four organizations, one of which requires two-factor authentication and one a provider, with zones in all
 * of them and in another one.
 */
async function storedMemberOfMany(storage: Storage) {
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

type Member = Awaited<ReturnType<typeof storedMemberOfMany>>;

/** Opens a session and authenticates its caller, as a request does. */
async function openSession({ unitOfWork }: Storage, credential: PlausibleCredential, subject: Subject) {
  const session = unitOfWork.session(credential, subject);
  return { session, caller: await okOf(session.caller()) };
}

function callers(storage: () => Storage, subject: Subject | undefined): void {
  const read = (credential: PlausibleCredential) => storage().unitOfWork.session(credential, subject).caller();

  for (const [who, kind, limited] of credentials) {
    it(`has all memberships that ${who} grants`, async () => {
      const { userId, own, shared, demanding, corporate } = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, userId, limited ? [shared] : []);
      for (let times = 0; times < 2; times += 1) {
        const { memberships, ...caller } = await okOf(read(credential));
        expect(caller.userId).to.equal(userId);
        const all = [
          [own, { role: 'owner', needsTwoFactor: false }],
          [shared, { role: 'viewer', needsTwoFactor: false }],
          [demanding, { role: 'editor', needsTwoFactor: true }],
          [corporate, { role: 'admin', needsTwoFactor: false, requiredProvider: corp }],
        ] as const;
        expect([...memberships]).to.have.deep.members(all.filter(([id]) => !limited || id === shared));
      }
    });
  }

  for (const kind of ['session', 'apiToken'] as const) {
    it(`is refused with an invalid ${kind}`, async () => {
      const { userId } = await storedOwner(storage());
      const unknown: PlausibleCredential =
        kind === 'session' ? { kind, userId, sessionId: aSessionId() } : { kind, hash: aTokenHash() };
      expect(await errorOf(read(unknown))).to.deep.equal(unauthenticated());
    });

    it(`is refused with the ${kind} of a blocked account`, async () => {
      const { userId } = await storedOwner(storage());
      const credential = await storedCredential(storage(), kind, userId);
      await okOf(read(credential));
      await block(storage(), userId);
      expect(await errorOf(read(credential))).to.deep.equal(unauthenticated());
    });
  }

  it('is refused with an ended session, or one of another user', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    const session = await storedSession(storage(), { userId: ada.userId });
    expect(await errorOf(read({ kind: 'session', ...session, userId: grace.userId }))).to.deep.equal(unauthenticated());
    await runUnit(storage(), ({ sessions }) => sessions.end(session));
    expect(await errorOf(read({ kind: 'session', ...session }))).to.deep.equal(unauthenticated());
  });

  it('has the use of an API token recorded', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'apiToken', userId);
    const lastUsed = async () =>
      (await readView(storage(), ({ apiTokens }) => apiTokens.list(userId, wholeList))).items[0]?.lastUsedAt;
    expect(await lastUsed()).to.equal(undefined);
    await okOf(read(credential));
    expect(await lastUsed()).to.be.instanceOf(Date);
  });
}

function profiles(storage: () => Storage): void {
  for (const kind of ['session', 'apiToken'] as const) {
    it(`is that of the account, with a ${kind}`, async () => {
      const { userId } = await storedOwner(storage());
      const other = await storedOwner(storage());
      const credential = await storedCredential(storage(), kind, userId);
      for (const user of [userId, other.userId]) {
        const { session } = await openSession(storage(), credential, { kind: 'profile' });
        const expected = await readView(storage(), ({ accounts }) => accounts.profile(user));
        for (let times = 0; times < 2; times += 1) {
          expect(await okOf(session.view(({ accounts }) => accounts.profile(user)))).to.deep.equal(expected);
        }
      }
    });
  }
}

function oneZone(storage: () => Storage): void {
  it('has the head and the contents that anybody reads, member or not', async () => {
    const { userId, own, shared, demanding } = await storedMemberOfMany(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    for (const organizationId of [own, shared, demanding, (await storedOwner(storage())).organizationId]) {
      const { zone } = await storedZone(storage(), { owner: { ...(await storedOwner(storage())), organizationId } });
      const head = await readView(storage(), ({ zones }) => zones.head(zone.id));
      const state = await readView(storage(), ({ zones }) => zones.state(zone.id));
      const { session } = await openSession(storage(), credential, { kind: 'zone', id: zone.id });
      for (let times = 0; times < 2; times += 1) {
        expect(await okOf(session.view(({ zones }) => zones.head(zone.id)))).to.deep.include(head);
        expect(await okOf(session.view(({ zones }) => zones.state(zone.id)))).to.deep.equal(state);
      }
    }
  });

  it('never has contents from before a change', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    for (let count = 1; count < 10; count += 1) {
      await addRules(storage(), { zone: zone.id, kind: 'accessRule' }, [aRule('accessRule')]);
      const { session } = await openSession(storage(), credential, { kind: 'zone', id: zone.id });
      const { rules } = await okOf(session.view(({ zones }) => zones.state(zone.id)));
      expect(rules.accessRule).to.have.lengthOf(count);
    }
  });

  it('may be missing, or another one than the request is about', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { session } = await openSession(storage(), credential, { kind: 'zone', id: aZoneId() });
    expect(await errorOf(session.view(({ zones }) => zones.head(aZoneId())))).to.deep.equal(zoneNotFound());
    expect(await okOf(session.view(({ zones }) => zones.state(zone.id)))).to.have.nested.property('zone.id', zone.id);
  });
}

function zoneChanges(storage: () => Storage): void {
  for (const kind of ['session', 'apiToken'] as const) {
    it(`is decided on the facts that anybody reads, with a ${kind}`, async () => {
      const { userId, own, demanding } = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, userId);
      for (const organizationId of [own, demanding, (await storedOwner(storage())).organizationId]) {
        const { zone } = await storedZone(storage(), { owner: { ...(await storedOwner(storage())), organizationId } });
        const read = ({ zoneChanges }: Repositories) => zoneChanges.facts(zone.id, userId);
        const facts = await storage().unitOfWork.view(read);
        const { session } = await openSession(storage(), credential, { kind: 'zone change', id: zone.id });
        for (let times = 0; times < 2; times += 1) expect(await session.view(read)).to.deep.equal(facts);
      }
    });
  }

  it('is decided again on current facts', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { session } = await openSession(storage(), credential, { kind: 'zone change', id: zone.id });
    await runUnit(storage(), (repositories) => applied(repositories, zone.id, () => ({ banToken: 'another' })));
    const tokens: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      const { state } = await okOf(session.view(({ zoneChanges }) => zoneChanges.facts(zone.id, userId)));
      tokens.push(state.zone.banToken);
    }
    expect(tokens.at(-1)).to.equal('another');
  });

  it('may be of a zone that does not exist', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const id = aZoneId();
    const { session } = await openSession(storage(), credential, { kind: 'zone change', id });
    const read = session.view(({ zoneChanges }) => zoneChanges.facts(id, userId));
    expect(await errorOf(read)).to.deep.equal(zoneNotFound());
  });
}

const listedOrganizations = (
  caller: AuthenticatedCaller,
  organization: OrganizationId | undefined,
): readonly OrganizationId[] => openOrganizations(caller).filter((id) => [undefined, id].includes(organization));

/** The page as a request about it gets it. */
async function listedBy(storage: Storage, credential: PlausibleCredential, query: ListZonesQuery) {
  const { session, caller } = await openSession(storage, credential, { kind: 'zone list', query });
  const { organization, tags, search, sort, ...page } = query;
  const organizations = listedOrganizations(caller, organization);
  const filter = { organizations, zones: zonesOf(caller), tags: [...tags], search };
  return okOf(session.view(({ zones }) => zones.list(filter, [...sort], page)));
}

/** The page as anybody reads it. */
async function listedFor(storage: Storage, credential: PlausibleCredential, query: ListZonesQuery) {
  const { organization, tags, search, sort, ...page } = query;
  const caller = await callerOf(storage, credential);
  const organizations = listedOrganizations(caller, organization);
  const filter = { organizations, zones: zonesOf(caller), tags, search };
  return readView(storage, ({ zones }) => zones.list(filter, sort, page));
}

function zoneLists(storage: () => Storage): void {
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

function listsByProvider(storage: () => Storage): void {
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

function repeatedLists(storage: () => Storage): void {
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

/** A unit of the session that writes ends what was read ahead. */
function currentReads(storage: () => Storage): void {
  it('see what a unit of the session has written', async () => {
    const { zone, userId, organizationId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const subjects: readonly Subject[] = [
      { kind: 'zone', id: zone.id },
      { kind: 'zone change', id: zone.id },
      { kind: 'zone list', query: everything },
    ];
    const filter = { organizations: [organizationId], tags: [], search: undefined };
    for (const [at, subject] of subjects.entries()) {
      const { session } = await openSession(storage(), credential, subject);
      const banToken = `token ${at}`;
      await okOf(session.run((repositories) => applied(repositories, zone.id, () => ({ banToken }))));
      const { state } = await okOf(session.view(({ zoneChanges }) => zoneChanges.facts(zone.id, userId)));
      const read = await okOf(session.view(({ zones }) => zones.state(zone.id)));
      const { items } = await okOf(session.view(({ zones }) => zones.list(filter, [], wholeList)));
      expect([state.zone.banToken, read.zone.banToken, items[0]?.banToken]).to.deep.equal([
        banToken,
        banToken,
        banToken,
      ]);
    }
  });

  it('see the profile as a unit of the session has changed it', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { session } = await openSession(storage(), credential, { kind: 'profile' });
    const before = await readView(storage(), ({ accounts }) => accounts.profile(userId));
    const changed = { firstName: before.lastName, lastName: before.lastName };
    await okOf(session.run(({ accounts }) => accounts.saveProfile(userId, changed)));
    expect(await okOf(session.view(({ accounts }) => accounts.profile(userId)))).to.deep.include(changed);
  });
}

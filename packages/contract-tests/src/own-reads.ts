import {
  type AuthenticatedCaller,
  type OrganizationId,
  type OwnZoneFilter,
  type PlausibleCredential,
  roles,
  type UserId,
  unauthenticated,
  type ZoneId,
  type ZoneSort,
} from '@zonewright/core';
import { expect } from 'chai';
import {
  addRules,
  applied,
  block,
  enforceTwoFactor,
  removed,
  storedOwner,
  storedSecondFactor,
  storedSession,
  storedZone,
} from './arrangements.ts';
import { anApiToken, aRule, aSessionId, aTokenHash, aZoneId, aZoneName, wholeList } from './builders.ts';
import { freshStorage } from './fresh-storage.ts';
import { errorOf, okOf, readView, runUnit } from './results.ts';
import type { OpenStorage, Storage } from './storage.ts';

type Kind = PlausibleCredential['kind'];
const kinds: readonly Kind[] = ['session', 'apiToken'];

/** A live credential of the user; an API token may be scoped to some organizations. */
export async function storedCredential(
  storage: Storage,
  kind: Kind,
  userId: UserId,
  organizations: readonly OrganizationId[] = [],
): Promise<PlausibleCredential> {
  if (kind === 'session') return { kind, ...(await storedSession(storage, { userId })) };
  const token = anApiToken({ userId, organizations });
  await runUnit(storage, ({ apiTokens }) => apiTokens.add(token));
  return { kind, hash: token.hash };
}

const callerOf = (storage: Storage, credential: PlausibleCredential): Promise<AuthenticatedCaller> =>
  readView(storage, ({ sessions, apiTokens }) =>
    credential.kind === 'session' ? sessions.caller(credential) : apiTokens.caller(credential.hash),
  );

type Read = (storage: Storage, credential: PlausibleCredential) => ReturnType<typeof readsOf>;

/** Credentials that are not live are refused, whatever is read. */
function refusals(storage: () => Storage, read: Read): void {
  for (const kind of kinds) {
    it(`refuse an invalid ${kind}`, async () => {
      const { userId } = await storedOwner(storage());
      const unknown: PlausibleCredential =
        kind === 'session' ? { kind, userId, sessionId: aSessionId() } : { kind, hash: aTokenHash() };
      expect(await errorOf(read(storage(), unknown))).to.deep.equal(unauthenticated());
    });

    it(`refuse the ${kind} of a blocked account`, async () => {
      const { userId } = await storedOwner(storage());
      const credential = await storedCredential(storage(), kind, userId);
      await okOf(read(storage(), credential));
      await block(storage(), userId);
      expect(await errorOf(read(storage(), credential))).to.deep.equal(unauthenticated());
    });
  }

  it('refuse an ended session, or one of another user', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    const session = await storedSession(storage(), { userId: ada.userId });
    const theirs = { kind: 'session', ...session, userId: grace.userId } as const;
    expect(await errorOf(read(storage(), theirs))).to.deep.equal(unauthenticated());
    await runUnit(storage(), ({ sessions }) => sessions.end(session));
    expect(await errorOf(read(storage(), { kind: 'session', ...session }))).to.deep.equal(unauthenticated());
  });

  it('record the use of an API token', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'apiToken', userId);
    const lastUsed = async () =>
      (await readView(storage(), ({ apiTokens }) => apiTokens.list(userId, wholeList))).items[0]?.lastUsedAt;
    expect(await lastUsed()).to.equal(undefined);
    await okOf(read(storage(), credential));
    expect(await lastUsed()).to.be.instanceOf(Date);
  });
}

const readsOf = (storage: Storage, credential: PlausibleCredential) =>
  storage.unitOfWork.view(({ ownZones }) =>
    ownZones.states(credential, everything, [], wholeList).map(() => undefined),
  );

/** The contract of `OwnAccount`. */
export function ownAccountContract(adapter: string, open: OpenStorage): void {
  describe(`OwnAccount contract: ${adapter}`, () => {
    const storage = freshStorage(open);
    const profile = (of: Storage, credential: PlausibleCredential) =>
      of.unitOfWork.view(({ ownAccount }) => ownAccount.profile(credential));
    refusals(storage, (of, credential) => profile(of, credential).map(() => undefined));

    for (const kind of kinds) {
      it(`returns the profile for a ${kind}, and no memberships`, async () => {
        const { userId } = await storedOwner(storage());
        const credential = await storedCredential(storage(), kind, userId);
        const caller = await callerOf(storage(), credential);
        expect(await okOf(profile(storage(), credential))).to.deep.equal({
          caller: { ...caller, memberships: new Map() },
          found: await readView(storage(), ({ accounts }) => accounts.profile(userId)),
        });
      });
    }
  });
}

/** The contract of `ZoneChanges.seen`: the caller, and the zone as in `facts` and `OwnZones`. */
export function seenZones(storage: () => Storage): void {
  const look = (of: Storage, credential: PlausibleCredential, zone = aZoneId()) =>
    of.unitOfWork.view(({ zoneChanges }) => zoneChanges.prefetch(credential, zone));
  refusals(storage, (of, credential) => look(of, credential).map(() => undefined));

  const credentials: readonly (readonly [what: string, kind: Kind, limited: boolean])[] = [
    ['a session', 'session', false],
    ['an API token', 'apiToken', false],
    ['an API token for another organization', 'apiToken', true],
  ];
  for (const [who, kind, limited] of credentials) {
    it(`are the zones of the facts, with the caller as ${who}`, async () => {
      const { userId, own, demanding } = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, userId, limited ? [own] : []);
      for (const organizationId of [own, demanding, (await storedOwner(storage())).organizationId]) {
        const { zone } = await storedZone(storage(), { owner: { ...(await storedOwner(storage())), organizationId } });
        const { caller, found } = await okOf(look(storage(), credential, zone.id));
        const read = await readView(storage(), ({ ownZones }) => ownZones.state(credential, zone.id));
        const facts = await readView(storage(), ({ zoneChanges }) => zoneChanges.facts(zone.id, userId));
        expect(caller).to.deep.equal(read.caller);
        const { membership, organizationRevision, replayBytes } = facts;
        expect(found).to.deep.equal({ ...read.found, membership, organizationRevision, replayBytes });
        const again = await readView(storage(), ({ zoneChanges }) => zoneChanges.facts(zone.id, userId, found));
        expect(again).to.deep.equal(facts);
      }
    });
  }

  it('are as they were when seen, or as they are now', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { found } = await okOf(look(storage(), credential, zone.id));
    await runUnit(storage(), (repositories) => applied(repositories, zone.id, () => ({ banToken: 'another' })));
    const facts = await readView(storage(), ({ zoneChanges }) => zoneChanges.facts(zone.id, userId, found));
    expect(facts.state.zone).to.deep.include({ banToken: 'another', revision: 2 });
  });

  it('are undefined for missing zones', async () => {
    const credential = await storedCredential(storage(), 'session', (await storedOwner(storage())).userId);
    expect((await okOf(look(storage(), credential))).found).to.equal(undefined);
  });
}

const everything: OwnZoneFilter = { roles, organization: undefined, tags: [], search: undefined };

/**
 * A member of three organizations, one of which requires two-factor authentication, with zones in all of them and in
 * another one.
 */
async function storedMemberOfMany(storage: Storage) {
  const owners = [await storedOwner(storage), await storedOwner(storage), await storedOwner(storage)] as const;
  const [own, shared, demanding] = owners;
  await storage.setRole(shared.organizationId, own.userId, 'viewer');
  await storage.setRole(demanding.organizationId, own.userId, 'editor');
  for (const owner of [...owners, await storedOwner(storage)]) {
    for (const tag of ['prod', 'stage', 'dev'] as const) await storedZone(storage, { owner, name: aZoneName(), tag });
  }
  await enforceTwoFactor(storage, demanding.organizationId);
  return {
    userId: own.userId,
    own: own.organizationId,
    shared: shared.organizationId,
    demanding: demanding.organizationId,
  };
}

/** The contract of `OwnZones`: the same as `Zones` for an authenticated caller, in one step. */
export function ownZonesContract(adapter: string, open: OpenStorage): void {
  describe(`OwnZones contract: ${adapter}`, () => {
    const storage = freshStorage(open);
    refusals(storage, readsOf);
    describe('states', () => states(storage));
    describe('states read before', () => statesReadBefore(storage));
    describe('read', () => reading(storage));
    describe('state and contents', () => oneZone(storage));
  });
}

type Given = Awaited<ReturnType<typeof storedMemberOfMany>>;

function states(storage: () => Storage): void {
  const questions: readonly (readonly [
    what: string,
    ask: (given: Given) => Partial<OwnZoneFilter>,
    sort?: ZoneSort[],
  ])[] = [
    ['everything', () => ({})],
    ['one tag, by name', () => ({ tags: ['stage'] }), [{ key: 'name', direction: 'desc' }]],
    ['tags, and one of them twice', () => ({ tags: ['dev', 'prod', 'dev'] }), [{ key: 'tag', direction: 'desc' }]],
    ['a part of the name', () => ({ search: 'ZONE' }), [{ key: 'createdAt', direction: 'asc' }]],
    ['a search without matches', () => ({ search: 'no match' })],
    ['one organization', ({ shared }) => ({ organization: shared }), [{ key: 'updatedAt', direction: 'desc' }]],
    ['an organization that requires a second factor', ({ demanding }) => ({ organization: demanding })],
    ['an organization of others', () => ({ organization: 2_000_000_000 as OrganizationId })],
    ['what owners have', () => ({ roles: ['owner'] })],
    ['what nobody has', () => ({ roles: [] })],
  ];
  const credentials: readonly (readonly [what: string, kind: Kind, limited: boolean])[] = [
    ['a session', 'session', false],
    ['an API token', 'apiToken', false],
    ['an API token for one organization', 'apiToken', true],
  ];

  for (const [who, kind, limited] of credentials) {
    it(`are those that an authenticated caller gets, with ${who}`, async () => {
      const given = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, given.userId, limited ? [given.shared] : []);
      for (const hasSecondFactor of [false, true]) {
        if (hasSecondFactor) await storedSecondFactor(storage(), given.userId);
        const { memberships, ...caller } = await callerOf(storage(), credential);
        for (const [what, ask, sort = []] of questions) {
          for (const page of [wholeList, { page: 2, itemsPerPage: 2 }, { page: 9, itemsPerPage: 5 }]) {
            const filter = { ...everything, ...ask(given) };
            const mine = [...memberships].filter(
              ([id, { role }]) => filter.roles.includes(role) && [undefined, id].includes(filter.organization),
            );
            const organizations = mine.flatMap(([id, { needsTwoFactor }]) => (needsTwoFactor ? [] : [id]));
            const expected = await readView(storage(), ({ zones }) =>
              zones.list({ ...filter, organizations }, sort, page),
            );
            const { found, caller: recognized } = await readView(storage(), ({ ownZones }) =>
              ownZones.states(credential, filter, sort, page),
            );
            const items = await readView(storage(), ({ ownZones }) => ownZones.read(found.states));
            expect({ items, totalItems: found.totalItems }, what).to.deep.equal(expected);
            const shown = new Set([filter.organization, ...items.map(({ organizationId }) => organizationId)]);
            const concerned = new Map(mine.filter(([id]) => shown.has(id)));
            expect(recognized, what).to.deep.equal({ ...caller, memberships: concerned });
          }
        }
      }
    });
  }
}

function statesReadBefore(storage: () => Storage): void {
  const firstZone = async ({ own }: Given) => (await zonesIn([own]))[0]!;
  const zonesIn = async (organizations: readonly OrganizationId[]) =>
    (await readView(storage(), ({ zones }) => zones.list({ ...everything, organizations }, byName, wholeList))).items;
  const change = async (given: Given, plan: Parameters<typeof applied>[2]) => {
    const { id } = await firstZone(given);
    await runUnit(storage(), (repositories) => applied(repositories, id, plan));
  };
  const filter: OwnZoneFilter = { ...everything, roles: roles.filter((role) => role !== 'admin') };
  const remove = (id: ZoneId) => runUnit(storage(), (repositories) => removed(repositories, id));
  const changes: readonly (readonly [what: string, make: (given: Given) => Promise<unknown>])[] = [
    ['a zone is added', ({ userId, own }) => storedZone(storage(), { organizationId: own, createdBy: userId })],
    ['a zone is removed', async (given) => remove((await firstZone(given)).id)],
    ['a zone is renamed', (given) => change(given, () => ({ names: { name: aZoneName('renamed'), tag: 'dev' } }))],
    ['a ban token is replaced', (given) => change(given, () => ({ banToken: 'another' }))],
    [
      'a rule is added',
      async (given) => {
        await addRules(storage(), { zone: (await firstZone(given)).id, kind: 'accessRule' }, [aRule('accessRule')]);
      },
    ],
    [
      'all zones are removed',
      async ({ own }) => {
        for (const { id } of await zonesIn([own])) await remove(id);
      },
    ],
    ['the role no longer permits it', ({ userId, shared }) => storage().setRole(shared, userId, 'admin')],
    ['the user leaves an organization', ({ userId, own }) => storage().setRole(own, userId, undefined)],
    ['an organization requires a second factor', ({ own }) => enforceTwoFactor(storage(), own)],
    ['the user has a second factor', ({ userId }) => storedSecondFactor(storage(), userId)],
  ];
  const listed = async (credential: PlausibleCredential) => {
    const { found } = await readView(storage(), ({ ownZones }) =>
      ownZones.states(credential, filter, byName, wholeList),
    );
    const items = await readView(storage(), ({ ownZones }) => ownZones.read(found.states));
    return { items, totalItems: found.totalItems };
  };
  const expected = async (credential: PlausibleCredential) => {
    const { memberships } = await callerOf(storage(), credential);
    const mine = [...memberships].filter(([, { role, needsTwoFactor }]) => role !== 'admin' && !needsTwoFactor);
    const items = await zonesIn(mine.map(([id]) => id));
    return { items, totalItems: items.length };
  };

  for (const [what, make] of changes) {
    it(`are read again when ${what}`, async () => {
      const given = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), 'session', given.userId);
      const before = await listed(credential);
      expect(await listed(credential)).to.deep.equal(before);
      await make(given);
      const after = await expected(credential);
      expect(after).to.not.deep.equal(before);
      for (let times = 0; times < 2; times += 1) expect(await listed(credential)).to.deep.equal(after);
    });
  }

  it('are different for each credential', async () => {
    const { userId, own, shared } = await storedMemberOfMany(storage());
    const tokens = [await storedCredential(storage(), 'apiToken', userId, [own])];
    tokens.push(await storedCredential(storage(), 'apiToken', userId, [shared]));
    tokens.push(await storedCredential(storage(), 'session', userId));
    for (let times = 0; times < 2; times += 1) {
      const counts: number[] = [];
      for (const token of tokens) {
        expect(await listed(token)).to.deep.equal(await expected(token));
        counts.push((await listed(token)).totalItems);
      }
      expect(counts).to.deep.equal([3, 3, 6]);
    }
  });
}

const byName: readonly ZoneSort[] = [{ key: 'name', direction: 'asc' }];

function reading(storage: () => Storage): void {
  const stored = async () => {
    const owned = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', owned.userId);
    const statesNow = async () =>
      (await readView(storage(), ({ ownZones }) => ownZones.states(credential, everything, [], wholeList))).found
        .states;
    const read = (given: Awaited<ReturnType<typeof statesNow>>) =>
      readView(storage(), ({ ownZones }) => ownZones.read(given));
    return { ...owned, statesNow, read };
  };

  it('returns the current state of a zone, and omits deleted ones', async () => {
    const { zone, statesNow, read } = await stored();
    const before = await statesNow();
    await runUnit(storage(), (repositories) => applied(repositories, zone.id, () => ({ banToken: 'another' })));
    const [changed] = await statesNow();
    expect(changed?.state).not.to.equal(before[0]?.state);
    expect((await read(before)).map(({ banToken, revision }) => [banToken, revision])).to.deep.equal([['another', 2]]);
    await runUnit(storage(), (repositories) => removed(repositories, zone.id));
    const gone = before.map((state) => ({ ...state, state: 'never read' }));
    expect(await read(gone)).to.deep.equal([]);
  });

  it('never returns an older state than the given one, whatever was read before', async () => {
    const { zone, statesNow, read } = await stored();
    for (let revision = 2; revision < 12; revision += 1) {
      await read(await statesNow());
      await runUnit(storage(), (repositories) =>
        applied(repositories, zone.id, () => ({ banToken: `token ${revision}` })),
      );
      const [shown] = await read(await statesNow());
      expect([shown?.banToken, shown?.revision]).to.deep.equal([`token ${revision}`, revision]);
    }
  });
}

function oneZone(storage: () => Storage): void {
  for (const kind of kinds) {
    it(`work for any zone, with the membership of a ${kind}`, async () => {
      const { userId, own, shared, demanding } = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, userId);
      const { memberships, ...caller } = await callerOf(storage(), credential);
      for (const organization of [own, shared, demanding, (await storedOwner(storage())).organizationId]) {
        const owner = { userId, organizationId: organization };
        const { zone } = await storedZone(storage(), { owner: { ...(await storedOwner(storage())), ...owner } });
        const { found, caller: recognized } = await readView(storage(), ({ ownZones }) =>
          ownZones.state(credential, zone.id),
        );
        const membership = memberships.get(organization);
        const lent = new Map(membership === undefined ? [] : [[organization, membership]]);
        expect(recognized).to.deep.equal({ ...caller, memberships: lent });
        const expected = await readView(storage(), ({ zones }) => zones.state(zone.id));
        for (let times = 0; times < 2; times += 1) {
          expect(await readView(storage(), ({ ownZones }) => ownZones.contents(found!))).to.deep.equal(expected);
        }
      }
    });
  }

  it('fail for a zone that does not exist', async () => {
    const credential = await storedCredential(storage(), 'session', (await storedOwner(storage())).userId);
    const { found } = await readView(storage(), ({ ownZones }) => ownZones.state(credential, aZoneId()));
    expect(found).to.equal(undefined);
  });

  it('never show contents from before a change', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const list = { zone: zone.id, kind: 'accessRule' } as const;
    for (let count = 1; count < 10; count += 1) {
      await addRules(storage(), list, [aRule('accessRule')]);
      const { found } = await readView(storage(), ({ ownZones }) => ownZones.state(credential, zone.id));
      const { rules } = await readView(storage(), ({ ownZones }) => ownZones.contents(found!));
      expect(rules.accessRule).to.have.lengthOf(count);
    }
  });
}

import {
  type BackendReference,
  BasicAuthComment,
  jsonDocument,
  ProviderId,
  type RecordedChange,
  type RuleKind,
  type RuleList,
  stateAfter,
  type UserId,
  type WrittenRule,
  type ZonePlan,
  ZoneSettings,
  type ZoneState,
} from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import {
  applied,
  applying,
  backendKinds,
  enforceTwoFactor,
  listAs,
  type OwnedZone,
  referenceTo,
  removed,
  requireProvider,
  storedBackend,
  storedLoadBalancer,
  storedMember,
  storedOriginServer,
  storedOwner,
  storedSecondFactor,
  storedZone,
  withRules,
  withUsers,
} from './arrangements.ts';
import {
  aBasicAuthHash,
  aBasicAuthUser,
  aChange,
  anAuditEntry,
  anOrigin,
  aRevision,
  aRule,
  aUserId,
  aZoneId,
  aZoneName,
  wholeList,
} from './builders.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, hold } from './gate.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rejectionOf, runUnit, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const zoneChangesContract = contract('ZoneChanges contract', (storage) => {
  describe('facts', () => facts(storage));
  describe('outside', () => outside(storage));
  describe('ids of rules', () => claims(storage));
  describe('apply', () => application(storage));
  describe('apply, if the facts have changed', () => supersession(storage));
  describe('concurrent apply and lock', () => turns(storage));
});

/** A zone with three rules in each of two lists, and two users. */
async function fullZone(storage: Storage) {
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

const factsOf = (storage: Storage, { zone, userId }: Pick<OwnedZone, 'zone' | 'userId'>) =>
  readView(storage, ({ zoneChanges }) => zoneChanges.facts(zone.id, userId));

const stateOf = (storage: Storage, { zone }: Pick<OwnedZone, 'zone'>) =>
  readView(storage, ({ zones }) => zones.state(zone.id));

/** A state as plain values, with documents as text. */
const plain = (state: ZoneState): unknown =>
  JSON.parse(
    JSON.stringify(state, (key, value: unknown) =>
      ['content', 'settings'].includes(key) ? (value as { readonly text: string }).text : value,
    ),
  );

function facts(storage: () => Storage): void {
  it('are the state of the zone, and the user’s membership', async () => {
    const owned = await fullZone(storage());
    const { state, ...found } = await factsOf(storage(), owned);
    expect(plain(state)).to.deep.equal(plain(await stateOf(storage(), owned)));
    expect(found).to.deep.include({ user: owned.userId, membership: { role: 'owner', needsTwoFactor: false } });
    const viewer = await storedMember(storage(), owned.organizationId, 'viewer');
    const { membership } = await factsOf(storage(), { ...owned, userId: viewer.userId });
    expect(membership).to.deep.equal({ role: 'viewer', needsTwoFactor: false });
  });

  it('are withheld from outsiders, who learn only whose zone it is', async () => {
    const owned = await storedZone(storage());
    const { userId } = await storedOwner(storage());
    const read = storage().unitOfWork.view(({ zoneChanges }) => zoneChanges.facts(owned.zone.id, userId));
    expect(await errorOf(read)).to.deep.equal({ type: 'NotAMember', organization: owned.organizationId });
  });

  it('report that a required second factor is missing', async () => {
    const owned = await storedZone(storage());
    await enforceTwoFactor(storage(), owned.organizationId);
    expect((await factsOf(storage(), owned)).membership).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await storedSecondFactor(storage(), owned.userId);
    expect((await factsOf(storage(), owned)).membership).to.deep.equal({ role: 'owner', needsTwoFactor: false });
  });

  it('tell which provider the organization requires, as does the lock', async () => {
    const owned = await storedZone(storage());
    const requiredProvider = ProviderId.parse('corp');
    await requireProvider(storage(), owned.organizationId, requiredProvider);
    const membership = { role: 'owner', needsTwoFactor: false, requiredProvider };
    expect((await factsOf(storage(), owned)).membership).to.deep.equal(membership);
    const locked = await runUnit(storage(), ({ zoneChanges }) => zoneChanges.lock(owned.zone.id, owned.userId));
    expect(locked.membership).to.deep.equal(membership);
  });

  it('include the bytes to replay since the latest snapshot', async () => {
    const owned = await storedZone(storage());
    const found = [];
    for (const replayBytes of [70, 250, 0]) {
      const now = await factsOf(storage(), owned);
      found.push(now.replayBytes);
      const change = aChange({ banToken: `ban_${replayBytes}` });
      await runUnit(storage(), ({ zoneChanges }) =>
        applying(zoneChanges, now, [], { ...change, revision: { ...change.revision, replayBytes } }),
      );
    }
    expect([...found, (await factsOf(storage(), owned)).replayBytes]).to.deep.equal([0, 0 + 70, 250, 0]);
  });

  it('do not find a zone that does not exist', async () => {
    const read = storage().unitOfWork.view(({ zoneChanges }) => zoneChanges.facts(aZoneId(), aUserId()));
    expect(await errorOf(read)).to.deep.equal({ type: 'ZoneNotFound' });
  });
}

function outside(storage: () => Storage): void {
  const found = (owned: OwnedZone, backends: readonly BackendReference[]) =>
    readView(storage(), ({ zoneChanges }) => zoneChanges.resolveReferences(owned.zone, { backends }));

  it('finds only the backends of the organization, with their origin servers', async () => {
    const owned = await storedZone(storage());
    const { organizationId } = owned;
    const [one, two] = [
      await storedOriginServer(storage(), { organizationId }),
      await storedOriginServer(storage(), { organizationId }),
    ];
    const balancer = await storedLoadBalancer(storage(), {
      organizationId,
      origins: [anOrigin(two.id), { ...anOrigin(one.id), enabled: false }],
    });
    const foreign = await storedBackend(storage(), 'origin_server', (await storedOwner(storage())).organizationId);
    const asked = [referenceTo('origin_server', one), referenceTo('load_balancer', balancer), foreign];
    const { backends, versions, isNameTaken } = await found(owned, asked);
    const locked = await runUnit(storage(), (repositories) => repositories.backends.lockPresent(organizationId, asked));
    expect(backends).to.deep.equal(locked);
    expect(new Set(versions.map(({ kind, id }) => `${kind} ${id}`))).to.have.all.keys(
      `origin_server ${one.id}`,
      `load_balancer ${balancer.id}`,
      `origin_server ${two.id}`,
    );
    expect(isNameTaken).to.equal(false);
  });

  it('reports whether another zone has the name and tag', async () => {
    const owned = await storedZone(storage());
    const { zone: other } = await storedZone(storage(), { owner: owned, name: aZoneName('Shöp') });
    const isTaken = async (names: Pick<OwnedZone['zone'], 'name' | 'tag'>) =>
      (
        await readView(storage(), ({ zoneChanges }) =>
          zoneChanges.resolveReferences(owned.zone, { backends: [], names }),
        )
      ).isNameTaken;
    expect(await isTaken({ name: aZoneName('sHÖP'), tag: 'prod' })).to.equal(true);
    expect(await isTaken({ name: other.name, tag: 'dev' })).to.equal(false);
    expect(await isTaken(owned.zone)).to.equal(false);
  });
}

function claims(storage: () => Storage): void {
  const taken = (owned: OwnedZone, kind: RuleKind, rules: readonly WrittenRule[]) =>
    readView(storage(), ({ zoneChanges }) =>
      zoneChanges.resolveReferences(owned.zone, { backends: [], rules: rules.map(({ id }) => ({ kind, id })) }),
    ).then(({ takenRules }) => rules.map(({ id }) => takenRules.has(id)));
  const wanting = (storageNow: Storage, { zone }: OwnedZone, kind: RuleKind, rules: readonly WrittenRule[]) =>
    storageNow.unitOfWork.run((each) => applied(each, zone.id, withRules({ zone: zone.id, kind }, rules)));
  const emptied = (state: ZoneState): RecordedChange => {
    const plan = listAs({ zone: state.zone.id, kind: 'accessRule' }, () => [])(state);
    const items = Object.fromEntries(state.rules.accessRule.map(({ id }) => [id, null]));
    return {
      ...aChange(plan),
      revision: { ...aChange(plan).revision, patch: jsonDocument({ accessRules: { items } }) },
    };
  };

  it('finds ids of rules of other zones, and former ids of rules in other lists of the zone', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const [here, there, fresh] = [aRule('accessRule'), aRule('accessRule'), aRule('accessRule')];
    await okOf(wanting(storage(), owned, 'accessRule', [here]));
    await okOf(wanting(storage(), other, 'accessRule', [there]));
    for (const kind of ['accessRule', 'configurationRule'] as const) {
      expect(await taken(other, kind, [here, fresh]), kind).to.deep.equal([true, false]);
    }
    // Ids in the zone itself are up to its state: a rule may have been added after it was read.
    expect(await taken(owned, 'accessRule', [here, there])).to.deep.equal([false, true]);
    const facts = await factsOf(storage(), owned);
    await runUnit(storage(), ({ zoneChanges }) => applying(zoneChanges, facts, [], emptied(facts.state)));
    expect(await taken(owned, 'accessRule', [here, there, fresh])).to.deep.equal([false, true, false]);
    expect(await taken(owned, 'configurationRule', [here, there, fresh])).to.deep.equal([true, true, false]);
    expect(await taken(other, 'configurationRule', [here])).to.deep.equal([false]);
  });

  it('gives a rule id that twenty zones claim to one of them', async () => {
    const zones = await concurrently(raceSize, () => storedZone(storage()));
    const rule = aRule('accessRule');
    await expectOneWinner('Superseded', (index) => wanting(storage(), zones[index]!, 'accessRule', [rule]));
  });
}

type Full = Awaited<ReturnType<typeof fullZone>>;

/** All kinds of plans; the stored result must equal the state the domain computed. */
const plans: readonly (readonly [what: string, plan: (state: ZoneState, full: Full) => ZonePlan])[] = [
  ['another name and tag', () => ({ names: { name: aZoneName('Straße 東京'), tag: 'dev' } })],
  [
    'other settings',
    () => ({ settings: jsonDocument(ZoneSettings.parse({ customPagesErrorHtml: '<h1>Ünïcode</h1>' })) }),
  ],
  ['another ban token', () => ({ banToken: 'ban_A-token-that-no-other-zone-has' })],
  ['nothing', () => ({})],
  ...(['configurationRule', 'accessRule'] as const satisfies readonly RuleKind[]).flatMap((kind) => {
    const list = { zone: aZoneId(), kind } as const;
    const changed = (name: string, path: string) => ({ content: aRule(kind, { name, path }).content });
    return (
      [
        ['a rule at the end', (those) => [...those, aRule(kind)]],
        ['a rule between two others', ([one, ...others]) => [one!, aRule(kind), ...others]],
        ['two rules at the beginning', (those) => [aRule(kind), aRule(kind), ...those]],
        ['a rule less', ([one, , three]) => [one!, three!]],
        ['no rules', () => []],
        ['another content', ([one, ...others]) => [{ ...one!, ...changed('x', '/x') }, ...others]],
        [
          'swapped names and keys',
          ([one, two, three]) => [{ ...one!, content: two!.content }, { ...two!, content: one!.content }, three!],
        ],
        ['another order', ([one, two, three]) => [three!, one!, two!]],
        ['the reverse', (those) => those.toReversed()],
        [
          'everything together',
          ([one, two]) => [aRule(kind, { name: 'C', path: '/c' }), two!, { ...one!, ...changed('x', '/x') }],
        ],
      ] satisfies readonly (readonly [string, Parameters<typeof listAs>[1]])[]
    ).map(([what, wanted]) => [`${what} (${kind})`, listAs(list, wanted)] as const);
  }),
  ['a user more', withUsers({ added: [aBasicAuthUser()] })],
  ['a user less', (_, { users }) => withUsers({ removed: [users[0]!.id] })()],
  [
    'users with another comment and another hash',
    (_, { users: [one, two] }) =>
      withUsers({
        changed: [
          { id: one!.id, comment: BasicAuthComment.parse(''), hash: undefined },
          { id: two!.id, comment: two!.comment, hash: aBasicAuthHash() },
        ],
      })(),
  ],
];

function application(storage: () => Storage): void {
  for (const [what, plan] of plans) {
    it(`applies a plan: ${what}`, async () => {
      const full = await fullZone(storage());
      const other = await fullZone(storage());
      const before = await stateOf(storage(), other);
      const found = await factsOf(storage(), full);
      const planned = plan(found.state, full);
      const after = await runUnit(storage(), ({ zoneChanges }) => applying(zoneChanges, found, [], aChange(planned)));
      const { zone } = after;
      const { createdAt: at } = await readView(storage(), ({ history }) => history.byNumber(zone.id, zone.revision));
      expect(plain(await stateOf(storage(), full))).to.deep.equal(plain(stateAfter(found.state, planned, at)));
      expect(plain(after)).to.deep.equal(plain(stateAfter(found.state, planned, at)));
      expect(at.getTime()).to.be.greaterThan(found.state.zone.updatedAt.getTime());
      expect(plain(await stateOf(storage(), other)), 'another zone').to.deep.equal(plain(before));
    });
  }

  it('keeps the hashes of users unless a new one is given', async () => {
    const full = await fullZone(storage());
    const [one, two] = [full.users[0]!, full.users[1]!];
    const hash = aBasicAuthHash();
    const changed = [
      { id: one.id, comment: one.comment, hash: undefined },
      { id: two.id, comment: two.comment, hash },
    ];
    await runUnit(storage(), (repositories) => applied(repositories, full.zone.id, withUsers({ changed })));
    expect(await storage().basicAuthHash(one.id)).to.equal(one.hash);
    expect(await storage().basicAuthHash(two.id)).to.equal(hash);
  });

  it('records the revision with the zone’s number, and the audit entry', async () => {
    const { zone, userId: author, organizationId: organization } = await storedZone(storage());
    const found = await factsOf(storage(), { zone, userId: author });
    const revision = {
      action: 'rewriteRule.changed',
      objects: { rule: aZoneId(), other: 'Ünïcode' },
      author,
      patch: undefined,
      snapshot: jsonDocument({ name: 'whole "quoted"\n😀', zone_settings: { constructor: [1.5] } }),
      restored: undefined,
      replayBytes: 0,
    } as const;
    const audit = anAuditEntry({
      action: 'rewriteRule.changed',
      actor: author,
      organization,
      objects: { zone: zone.id },
    });
    const after = await runUnit(storage(), ({ zoneChanges }) =>
      applying(zoneChanges, found, [], { plan: { banToken: 'ban_1' }, revision, audit }),
    );
    const { createdAt, ...written } = await readView(storage(), ({ history }) => history.byNumber(zone.id, 2));
    const { snapshot, patch: _, ...given } = revision;
    expect(written).to.deep.include({ ...given, zoneId: zone.id, number: 2 });
    expect(createdAt).to.deep.equal(after.zone.updatedAt);
    const trail = await readView(storage(), ({ history }) => history.trail(zone.id, 2));
    expect(trail.map((each) => each.snapshot?.text)).to.deep.equal([snapshot.text]);
    const filter = { organization, actions: [], actor: undefined, since: undefined, until: undefined };
    const { items } = await readView(storage(), ({ auditLog }) => auditLog.list(filter, wholeList));
    expect(items).to.have.lengthOf(1);
    expect(items[0]).to.deep.include(audit);
  });

  it('refuses the name and tag of another zone of the organization, and changes nothing', async () => {
    const owned = await storedZone(storage());
    const { zone: other } = await storedZone(storage(), { owner: owned, name: aZoneName('Shöp') });
    const renamed = (names: ZonePlan['names']) =>
      storage().unitOfWork.run((repositories) =>
        applied(repositories, owned.zone.id, () => ({ ...(names && { names }) })),
      );
    expect(await errorOf(renamed({ name: aZoneName('SHÖP'), tag: other.tag }))).to.deep.equal({
      type: 'ZoneNameTaken',
    });
    expect((await stateOf(storage(), owned)).zone).to.deep.equal(owned.zone);
    await okOf(renamed({ name: other.name, tag: 'dev' }));
  });

  it('rejects two rules or two users with the same name', async () => {
    const { zone } = await storedZone(storage());
    const list = { zone: zone.id, kind: 'accessRule' } as const;
    const [rules, user] = [
      [aRule('accessRule', { name: 'Föhn' }), aRule('accessRule', { name: 'FÖHN' })],
      aBasicAuthUser(),
    ];
    for (const plan of [
      withRules(list, rules),
      withUsers({ added: [user, aBasicAuthUser({ username: user.username })] }),
    ]) {
      await rejectionOf(storage().unitOfWork.run((repositories) => applied(repositories, zone.id, plan)));
    }
    expect((await stateOf(storage(), { zone })).zone.revision).to.equal(1);
  });

  it('can put rules between two others any number of times', async () => {
    const { zone, list } = await fullZone(storage());
    for (let turn = 0; turn < 60; turn += 1) {
      const wanted = listAs(list, ([one, two, three]) => [one!, three!, two!]);
      await runUnit(storage(), (repositories) => applied(repositories, zone.id, wanted));
    }
    const { rules } = await stateOf(storage(), { zone });
    expect(rules.configurationRule.map(({ content }) => content.value.name)).to.deep.equal(['a', 'b', 'c']);
  });
}

function supersession(storage: () => Storage): void {
  const changes: readonly (readonly [what: string, change: (given: OwnedZone) => Promise<unknown>])[] = [
    ['the zone', ({ zone }) => runUnit(storage(), (each) => applied(each, zone.id, () => ({ banToken: 'ban_2' })))],
    [
      'the list of rules',
      ({ zone }) =>
        runUnit(storage(), (each) =>
          applied(each, zone.id, withRules({ zone: zone.id, kind: 'accessRule' }, [aRule('accessRule')])),
        ),
    ],
    ['the role of the user', ({ organizationId, userId }) => storage().setRole(organizationId, userId, 'editor')],
    [
      'the membership of the user',
      ({ organizationId, userId }) => storage().setRole(organizationId, userId, undefined),
    ],
    ['the organization', ({ organizationId }) => enforceTwoFactor(storage(), organizationId)],
    ['the existence of the zone', ({ zone }) => runUnit(storage(), (each) => removed(each, zone.id))],
  ];
  for (const [what, change] of changes) {
    it(`has no effect after a change of ${what}`, async () => {
      const owned = await storedZone(storage());
      const found = await factsOf(storage(), owned);
      await change(owned);
      const late = storage().unitOfWork.single(({ zoneChanges }) =>
        applying(zoneChanges, found, [], aChange({ banToken: 'ban_late' })),
      );
      expect(await errorOf(late)).to.deep.equal({ type: 'Superseded' });
      const { items } = await readView(storage(), ({ zones }) =>
        zones.list({ organizations: [owned.organizationId], tags: [], search: undefined }, [], wholeList),
      );
      expect(items.map(({ banToken }) => banToken)).not.to.include('ban_late');
    });
  }

  for (const kind of backendKinds) {
    it(`has no effect after a change of a backend that was looked up (${kind})`, async () => {
      const owned = await storedZone(storage());
      const backend = await storedBackend(storage(), kind, owned.organizationId);
      const found = await factsOf(storage(), owned);
      const { versions } = await readView(storage(), ({ zoneChanges }) =>
        zoneChanges.resolveReferences(owned.zone, { backends: [backend] }),
      );
      const attempt = (known: typeof versions): ResultAsync<ZoneState, { readonly type: string }> =>
        storage().unitOfWork.single(({ zoneChanges }) =>
          applying(zoneChanges, found, known, aChange({ banToken: 'ban_3' })),
        );
      for (const each of versions) {
        const older = versions.map((one) => (one === each ? { ...one, revision: one.revision - 1 } : one));
        expect(await errorOf(attempt(older)), each.kind).to.deep.equal({ type: 'Superseded' });
      }
      await okOf(attempt(versions));
    });
  }
}

function turns(storage: () => Storage): void {
  const apply = (storageNow: Storage, found: Awaited<ReturnType<typeof factsOf>>, plan: ZonePlan) =>
    storageNow.unitOfWork.single(({ zoneChanges }) => applying(zoneChanges, found, [], aChange(plan)));

  it('is superseded if a revision that the new one refers to is no longer kept, or the organization stores too much', async () => {
    const owned = await storedZone(storage());
    await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: owned.zone.id, number: 1 })));
    const facts = await factsOf(storage(), owned);
    const change = aChange({ banToken: 'ban_1' });
    const referring = (contentsFrom: number, restFrom: number) => ({
      ...change,
      revision: { ...change.revision, patch: undefined, restored: { contentsFrom, restFrom, adjustment: undefined } },
    });
    const { used } = await readView(storage(), ({ storageQuotas }) => storageQuotas.of(owned.organizationId));
    const outcomes = [];
    for (const each of [referring(7, 1), referring(1, 7), { ...change, mostStored: used - 1 }, referring(1, 1)])
      outcomes.push(await storage().unitOfWork.single(({ zoneChanges }) => applying(zoneChanges, facts, [], each)));
    expect(outcomes.map((outcome) => (outcome.isOk() ? 'applied' : outcome.error.type))).to.deep.equal([
      'Superseded',
      'Superseded',
      'Superseded',
      'applied',
    ]);
  });

  it('apply one of twenty changes decided on the same state', async () => {
    const owned = await storedZone(storage());
    const found = await factsOf(storage(), owned);
    await expectOneWinner('Superseded', (index) => apply(storage(), found, { banToken: `ban_${index}` }));
    expect((await stateOf(storage(), owned)).zone.revision).to.equal(2);
  });

  it('gives a name that twenty zones claim to one of them', async () => {
    const owner = await storedOwner(storage());
    const stored = await concurrently(raceSize, () => storedZone(storage(), { owner }));
    const all = await Promise.all(stored.map((owned) => factsOf(storage(), owned)));
    const names = { name: aZoneName('wanted'), tag: 'prod' } as const;
    await expectOneWinner('ZoneNameTaken', (index) => apply(storage(), all[index]!, { names }));
  });

  const beginnings: readonly (readonly [what: string, first: (owned: OwnedZone) => Parameters<typeof hold>[1]])[] = [
    [
      'applied a change',
      ({ zone }) =>
        (each) =>
          applied(each, zone.id, () => ({ banToken: 'ban_first' })),
    ],
    [
      'locked the zone',
      ({ zone, userId }) =>
        ({ zoneChanges }) =>
          zoneChanges.lock(zone.id, userId),
    ],
  ];
  for (const [what, first] of beginnings) {
    it(`make a change of the same zone wait for a unit that ${what}, but not of another zone`, async () => {
      const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
      const [found, elsewhere] = [await factsOf(storage(), owned), await factsOf(storage(), other)];
      const held = await hold(storage(), first(owned));
      expect(await goesOn(storage(), apply(storage(), elsewhere, { banToken: 'ban_elsewhere' }))).to.equal(true);
      const second = apply(storage(), found, { banToken: 'ban_second' });
      await okOf(held.endBefore(second));
      expect(tally([await second])).to.deep.equal(what === 'locked the zone' ? { Ok: 1 } : { Superseded: 1 });
    });

    it(`make the removal of the user’s role wait for a unit that ${what}`, async () => {
      const owned = await storedZone(storage());
      const { zone, userId, organizationId } = owned;
      const held = await hold(storage(), first(owned));
      const withdrawal = storage().setRole(organizationId, userId, undefined);
      await okOf(held.endBefore(withdrawal));
      await withdrawal;
      const read = storage().unitOfWork.view(({ zoneChanges }) => zoneChanges.facts(zone.id, userId));
      expect(await errorOf(read)).to.deep.equal({ type: 'NotAMember', organization: organizationId });
    });
  }

  it('make only those wait who queue for the same zone', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const queueing = ({ zone }: OwnedZone) => storage().unitOfWork.run(({ zoneChanges }) => zoneChanges.queue(zone.id));
    const found = await factsOf(storage(), owned);
    const held = await hold(storage(), ({ zoneChanges }) => zoneChanges.queue(owned.zone.id));
    expect(await goesOn(storage(), apply(storage(), found, { banToken: 'ban_free' }))).to.equal(true);
    expect(await goesOn(storage(), queueing(other))).to.equal(true);
    const second = queueing(owned);
    await okOf(held.endBefore(second));
    await okOf(second);
  });

  it('find no zone that is gone, and report whom they keep from changing', async () => {
    const { zone, userId, organizationId } = await storedZone(storage());
    const locking = (user: UserId) => storage().unitOfWork.run(({ zoneChanges }) => zoneChanges.lock(zone.id, user));
    const { name, tag, revision } = zone;
    const membership = { role: 'owner', needsTwoFactor: false };
    expect(await okOf(locking(userId))).to.deep.equal({ organizationId, name, tag, revision, membership });
    expect((await okOf(locking(aUserId()))).membership).to.equal(undefined);
    await enforceTwoFactor(storage(), organizationId);
    expect((await okOf(locking(userId))).membership).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await runUnit(storage(), (each) => removed(each, zone.id));
    expect(await errorOf(locking(userId))).to.deep.equal({ type: 'ZoneNotFound' });
  });

  it('wait for a unit that removes the role, and then have no effect', async () => {
    const owned = await storedZone(storage());
    const { userId, organizationId } = owned;
    const found = await factsOf(storage(), owned);
    const held = await hold(storage(), ({ organizations, members }) =>
      organizations.lock(organizationId).andThen(() => members.setRole(organizationId, userId, 'viewer')),
    );
    const second = apply(storage(), found, { banToken: 'ban_late' });
    await okOf(held.endBefore(second));
    expect(tally([await second])).to.deep.equal({ Superseded: 1 });
  });
}

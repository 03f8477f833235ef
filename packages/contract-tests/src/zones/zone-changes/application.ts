import { jsonDocument, stateAfter, type ZonePlan } from '@zonewright/core';
import { expect } from 'chai';
import { applied, applying, listAs, storedZone, withRules, withUsers } from '../../arrangements/index.ts';
import { aBasicAuthHash, aBasicAuthUser, aChange, aRule, aZoneId, aZoneName, wholeList } from '../../builders/index.ts';
import { errorOf, okOf, readView, rejectionOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { factsOf, fullZone, plain, stateOf } from './full-zone.ts';
import { plans } from './plans.ts';

/** What a plan makes of a zone, and what it records. */
export function application(storage: () => Storage): void {
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
      patch: undefined,
      snapshot: jsonDocument({ name: 'whole "quoted"\n😀', zone_settings: { constructor: [1.5] } }),
      restored: undefined,
      replayBytes: 0,
    } as const;
    const audit = {
      credential: aZoneId(),
      objects: { zone: zone.id },
      client: { network: '192.0.2.1', userAgent: 'Browser' },
    };
    const after = await runUnit(storage(), ({ zoneChanges }) =>
      applying(zoneChanges, found, [], { plan: { banToken: 'ban_1' }, revision, audit }),
    );
    const { createdAt, ...written } = await readView(storage(), ({ history }) => history.byNumber(zone.id, 2));
    const { snapshot, patch: _, ...given } = revision;
    expect(written).to.deep.include({ ...given, author, zoneId: zone.id, number: 2 });
    expect(createdAt).to.deep.equal(after.zone.updatedAt);
    const trail = await readView(storage(), ({ history }) => history.trail(zone.id, 2));
    expect(trail.map((each) => each.snapshot?.text)).to.deep.equal([snapshot.text]);
    const filter = { organization, actions: [], actor: undefined, since: undefined, until: undefined };
    const { items } = await readView(storage(), ({ auditLog }) => auditLog.list(filter, wholeList));
    expect(items).to.have.lengthOf(1);
    expect(items[0]).to.deep.include({ ...audit, action: revision.action, actor: author, organization });
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

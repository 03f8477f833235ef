import { type JsonObject, RuleMove } from '@zonewright/core';
import { expect } from 'chai';
import { listRevisions, readRevision } from '../../../../src/zones/revisions/read-revisions.ts';
import { moveRule } from '../../../../src/zones/rules/move-rule.ts';
import { updateRule } from '../../../../src/zones/rules/update-rule.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { aWorldWithHistory, revisionsOf } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf } from '../../../support/rules.ts';
import { aZone } from '../../../support/zones.ts';

const page = { page: 1, itemsPerPage: 30 };

describe('listRevisions', () => {
  it('starts with the creation of the zone, and lists author and time of each change, newest first', async () => {
    const { world, owner, zone } = await aWorldWithHistory();
    world.clock.advance(60);
    const { id } = await aRule(world, owner, zone.id, 'a');
    await aRule(world, owner, (await aZone(world, owner, { name: 'Other' })).id, 'elsewhere');
    const { items, totalItems } = await valueOf(listRevisions(world)(owner, zone.id, page));
    expect(totalItems).to.equal(2);
    expect(items).to.deep.equal([
      {
        zoneId: zone.id,
        number: 2,
        action: 'configurationRule.created',
        objects: { rule: id },
        author: owner.userId,
        createdAt: world.clock.now(),
      },
      {
        zoneId: zone.id,
        number: 1,
        action: 'zone.created',
        objects: {},
        author: owner.userId,
        createdAt: zone.createdAt,
      },
    ]);
  });

  it('shows the whole zone as the first change', async () => {
    const { world, owner, zone, document } = await aWorldWithHistory({
      tag: 'dev',
      zone_settings: { minifyHtml: true },
    });
    const [creation] = await revisionsOf(world, owner, zone.id);
    const whole = await document();
    expect(creation?.patch.value).to.deep.equal(whole);
    expect(creation?.inverse.value).to.deep.equal(Object.fromEntries(Object.keys(whole).map((key) => [key, null])));
  });

  it('shows each change as the smallest pair of patches that makes and undoes it', async () => {
    const { world, owner, zone } = await aWorldWithHistory();
    const list = configurationRulesOf(zone);
    const a = await aRule(world, owner, zone.id, 'a');
    const b = await aRule(world, owner, zone.id, 'b');
    await valueOf(updateRule(world)(owner, list, a.id, { enabled: false }, undefined));
    await valueOf(moveRule(world)(owner, list, b.id, RuleMove.parse({ position: 1 }), undefined));
    await valueOf(
      updateZone(world)(owner, zone.id, { name: 'Bakery', zone_settings: { minifyHtml: true } }, undefined),
    );
    const user = await aBasicAuthUser(world, owner, zone.id, 'ada');
    const changes = (await revisionsOf(world, owner, zone.id)).map(({ number, patch, inverse }) => [
      number,
      patch.value,
      inverse.value,
    ]);
    const configurationRules = (members: JsonObject) => ({ configurationRules: members });
    expect(changes.slice(0, -1)).to.deep.equal([
      [7, { basicAuthUsers: { [user.id]: { username: 'ada', comment: '' } } }, { basicAuthUsers: { [user.id]: null } }],
      [
        6,
        { name: 'Bakery', zone_settings: { minifyHtml: true } },
        { name: 'Shop', zone_settings: { minifyHtml: false } },
      ],
      [5, configurationRules({ order: [b.id, a.id] }), configurationRules({ order: [a.id, b.id] })],
      [
        4,
        configurationRules({ items: { [a.id]: { enabled: false } } }),
        configurationRules({ items: { [a.id]: { enabled: true } } }),
      ],
      [
        3,
        configurationRules({ order: [a.id, b.id], items: { [b.id]: JSON.parse(b.content.text) } }),
        configurationRules({ order: [a.id], items: { [b.id]: null } }),
      ],
      [
        2,
        configurationRules({ order: [a.id], items: { [a.id]: JSON.parse(a.content.text) } }),
        configurationRules({ order: [], items: { [a.id]: null } }),
      ],
    ]);
  });
});

describe('readRevision', () => {
  it('shows the change, and the whole zone at that time', async () => {
    const { world, owner, zone, number, document } = await aWorldWithHistory();
    await aRule(world, owner, zone.id, 'a');
    const [then, at] = [await document(), number()];
    await aRule(world, owner, zone.id, 'b');
    const { revision, state } = await valueOf(readRevision(world)(owner, zone.id, at));
    expect(state).to.deep.equal(then);
    const [, listed] = await revisionsOf(world, owner, zone.id);
    expect(revision).to.deep.equal(listed);
  });

  it('shows neither the ban token nor a password', async () => {
    const { world, owner, zone, number } = await aWorldWithHistory();
    await aBasicAuthUser(world, owner, zone.id, 'ada');
    const read = JSON.stringify(await readRevision(world)(owner, zone.id, number()));
    expect(read).to.include('ada');
    for (const secret of [zone.banToken, 'Secret-1']) expect(read).to.not.include(secret);
  });
});

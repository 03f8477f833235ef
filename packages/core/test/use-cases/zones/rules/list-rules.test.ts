import { type ListRulesQuery } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { listRules } from '../../../../src/zones/rules/read-rules.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf, positionAndName, someRules } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

const aQuery = (changes: Partial<ListRulesQuery> = {}): ListRulesQuery => ({
  names: [],
  page: 1,
  itemsPerPage: 30,
  ...changes,
});

const aWorldWithZone = async (...names: readonly string[]) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone } = arranged;
  const rules = await someRules(world, owner, zone.id, names);
  const list = listRules(world);
  const listed = async (changes: Partial<ListRulesQuery> = {}) => {
    const { items, totalItems } = await valueOf(list(owner, configurationRulesOf(zone), aQuery(changes)));
    return { items: items.map(positionAndName), totalItems };
  };
  return { world, ...arranged, rules, list, listed };
};

describe('listRules', () => {
  it('lists complete rules in evaluation order', async () => {
    const { world, owner, zone, rules, list } = await aWorldWithZone('a', 'b');
    const first = await aRule(world, owner, zone.id, 'first', { order: 1, settingsOverrides: { minifyHtml: true } });
    const { listRevisions } = await valueOf(world.unitOfWork.view(({ zones }) => zones.state(zone.id)));
    expect(await list(owner, configurationRulesOf(zone), aQuery())).to.deep.equal(
      ok({
        items: [first, { ...rules[0], order: 2 }, { ...rules[1], order: 3 }],
        totalItems: 3,
        revision: listRevisions.configurationRule,
      }),
    );
  });

  it('shows no rules of other zones', async () => {
    const { world, owner, listed } = await aWorldWithZone('a');
    await aRule(world, owner, (await aZone(world, owner, { name: 'Other' })).id, 'b');
    expect(await listed()).to.deep.equal({ items: ['1 a'], totalItems: 1 });
  });

  it('passes names and page to storage, which keeps positions as in the whole list', async () => {
    const { listed } = await aWorldWithZone('Images', '100%', 'Old images', 'API');
    const query = { names: ['images', 'old'], itemsPerPage: 1 };
    expect(await listed(query)).to.deep.equal({ items: ['1 Images'], totalItems: 2 });
    expect(await listed({ ...query, page: 2 })).to.deep.equal({ items: ['3 Old images'], totalItems: 2 });
  });
});

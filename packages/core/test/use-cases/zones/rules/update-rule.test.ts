import type { RuleId } from '@zonewright/core';
import { expect } from 'chai';
import { replaceRules } from '../../../../src/zones/rules/replace-rules.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, aWorldWithRule, onPath } from '../../../support/rules.ts';
import { inTables } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

/** The id of a rule stored before values that no request can match were refused. */
async function aWorldWithOldRule() {
  const arranged = await aWorldWithRule();
  const conditions = onPath('/old?');
  inTables(arranged.world, ({ rules }) => {
    const row = rules.get(arranged.rule.id) ?? expect.fail();
    const content = JSON.stringify({ ...arranged.rule.content.value, conditions });
    rules.set(arranged.rule.id, { ...row, content });
  });
  return { ...arranged, conditions };
}

describe('a stored rule with a value that no request can match, as refused today,', () => {
  const more = { field: 'country', operator: 'equals', value: 'ZZ' };
  const refused = (place: string) => [`${place}conditions.conditions[1].value condition.value.unmatchable`];

  it('can be changed if its conditions stay, but gets no other such value', async () => {
    const { patch, conditions } = await aWorldWithOldRule();
    expect(await refusalOf(patch({ description: 'x' }))).to.deep.equal(['accepted']);
    expect(await refusalOf(patch({ conditions: { logic: 'or' } }))).to.deep.equal(['accepted']);
    const leaves = [...conditions.conditions, more];
    expect(await refusalOf(patch({ conditions: { conditions: leaves } }))).to.deep.equal(refused(''));
  });

  it('stays in a list that is replaced', async () => {
    const { world, owner, list, rule, conditions } = await aWorldWithOldRule();
    const replace = (leaves: readonly object[], id: RuleId | undefined = rule.id) => {
      const content = { ...rule.content.value, conditions: { ...conditions, conditions: leaves } };
      const wanted = [{ id, content: content as unknown as typeof rule.content.value }];
      return replaceRules(world)(owner, list, wanted, undefined);
    };
    expect(await refusalOf(replace([...conditions.conditions, more]))).to.deep.equal(refused('[0].'));
    expect(await refusalOf(replace(conditions.conditions))).to.deep.equal(['accepted']);
    expect(
      await refusalOf(
        replaceRules(world)(
          owner,
          list,
          [{ id: undefined, content: { ...rule.content.value, conditions: conditions as never } }],
          undefined,
        ),
      ),
    ).to.deep.equal(['[0].conditions.conditions[0].value condition.value.unmatchable']);
  });
});

describe('updateRule', () => {
  describe('compares name and conditions with other rules, not with the rule itself:', () => {
    it('a rule may keep its name, and write it in another case', async () => {
      const { patch } = await aWorldWithRule();
      expect((await valueOf(patch({ name: 'FIRST' }))).rule.content.value.name).to.equal('FIRST');
      expect(await refusalOf(patch({ name: 'FIRST', description: 'x' }))).to.deep.equal(['accepted']);
    });

    it('a rule may keep its conditions, and rephrase them', async () => {
      const { patch } = await aWorldWithRule({ conditions: onPath('/a') });
      const conditions = { logic: 'any', conditions: [{ field: 'uri', operator: 'equals', value: '/a' }] };
      expect((await valueOf(patch({ conditions }))).rule.content.value.conditions).to.deep.equal(conditions);
    });

    it('it may not use those of another', async () => {
      const { world, owner, zone, patch } = await aWorldWithRule();
      await aRule(world, owner, zone.id, 'Second', { conditions: onPath('/second') });
      expect(await refusalOf(patch({ name: 'second' }))).to.deep.equal(['name rule.name.duplicate']);
      expect(await refusalOf(patch({ conditions: onPath('/second') }))).to.deep.equal([
        'conditions rule.conditions.duplicate',
      ]);
      expect(await refusalOf(patch({ name: 'SECOND', conditions: onPath('/second') }))).to.deep.equal([
        'name rule.name.duplicate',
        'conditions rule.conditions.duplicate',
      ]);
    });

    it('it may use those of a rule of another zone', async () => {
      const { world, owner, patch } = await aWorldWithRule();
      const other = await aZone(world, owner, { name: 'Other' });
      await aRule(world, owner, other.id, 'Second', { conditions: onPath('/second') });
      expect(await refusalOf(patch({ name: 'Second', conditions: onPath('/second') }))).to.deep.equal(['accepted']);
    });

    it('it may use those that another rule has just given up', async () => {
      const { world, owner, zone, rule, patch } = await aWorldWithRule();
      const second = await aRule(world, owner, zone.id, 'Second');
      await valueOf(patch({ name: 'Third', conditions: onPath('/third') }, second.id));
      const freed = { name: 'Second', conditions: JSON.parse(second.content.text).conditions };
      expect(await refusalOf(patch(freed, rule.id))).to.deep.equal(['accepted']);
    });
  });

  describe('checks the overrides on top of the settings of the zone:', () => {
    const order = 'settings.quality.order';
    const pair = { imageOptimizationPngQualityMin: 90, imageOptimizationPngQualityMax: 95 };
    it('an override that lost its counterpart', async () => {
      const { patch } = await aWorldWithRule({ settingsOverrides: pair });
      expect(await refusalOf(patch({ settingsOverrides: { imageOptimizationPngQualityMax: null } }))).to.deep.equal([
        `settingsOverrides.imageOptimizationPngQualityMin ${order}`,
      ]);
      expect(await refusalOf(patch({ settingsOverrides: { imageOptimizationPngQualityMin: null } }))).to.deep.equal([
        'accepted',
      ]);
    });

    it('a backend and users that do not exist', async () => {
      const { patch } = await aWorldWithRule();
      const settingsOverrides = {
        defaultBackend: { type: 'origin_server', id: missingId },
        basicAuth: { enabled: true, allowedUserIds: [missingId] },
      };
      expect(await refusalOf(patch({ settingsOverrides }))).to.have.members([
        'settingsOverrides.defaultBackend backend.unknown',
        'settingsOverrides.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'settingsOverrides.basicAuth.enabled basicAuth.noUser',
      ]);
    });
  });
});

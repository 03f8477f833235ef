import { type JsonObject, ruleKindNames } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { deleteBasicAuthUser } from '../../../../src/zones/basic-auth-users/delete-basic-auth-user.ts';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { replaceRules } from '../../../../src/zones/rules/replace-rules.ts';
import { updateRule } from '../../../../src/zones/rules/update-rule.ts';
import { rotateBanToken } from '../../../../src/zones/zone-changes/rotate-ban-token.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { aWorldWithHistory, revisionsOf } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf, draftOf, listOf, namesIn, onPath, rulesIn } from '../../../support/rules.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { everythingIn } from '../../../support/world.ts';
import { revisionOf } from '../../../support/zones.ts';

/** What a client writes of a rule of each kind. */
const bodies = {
  configurationRule: (name: string) => ({ name, conditions: onPath(`/${name}`) }),
  rewriteRule: (name: string) => ({ name, operator: 'equals', sourcePattern: `/${name}`, target: '/x' }),
  accessRule: (name: string) => ({ name, conditions: onPath('/a'), action: 'block' }),
  securityScenario: (name: string) => ({ name, type: 'trigger', filter: onPath('/a') }),
};

/** A zone with the rules a, b and c of every kind. */
const aWorldWithRules = async () => {
  const arranged = await aWorldWithHistory({ zone_settings: { minifyHtml: true, cachingDefaultTtl: 60 } });
  const { world, owner, zone } = arranged;
  for (const kind of ruleKindNames) {
    for (const name of ['a', 'b', 'c']) {
      await valueOf(createRule(world)(owner, listOf(zone, kind), draftOf(kind, bodies[kind](name))));
    }
  }
  const change = (patch: JsonObject) => valueOf(updateZone(world)(owner, zone.id, patch, undefined));
  return { ...arranged, change };
};

/** Changes everything in the zone: settings, content and order of rules, and users. */
async function upset({ world, owner, zone, change }: Awaited<ReturnType<typeof aWorldWithRules>>): Promise<void> {
  await change({ name: 'Bakery', tag: 'dev', zone_settings: { minifyHtml: false, underAttack: true } });
  for (const kind of ruleKindNames) {
    const list = listOf(zone, kind);
    const [a, b, c] = await rulesIn(world, list);
    await valueOf(deleteRule(world)(owner, list, a!.id, undefined));
    await valueOf(updateRule(world)(owner, list, b!.id, { name: 'renamed', enabled: false }, undefined));
    // The third stays unchanged; a new one takes the name and key of the first.
    const added = draftOf(kind, bodies[kind]('a')).content;
    const [kept, changed] = [c!, (await rulesIn(world, list))[0]!].map((rule) => ({
      id: rule.id,
      content: rule.content.value,
    }));
    await valueOf(replaceRules(world)(owner, list, [kept!, { id: undefined, content: added }, changed!], undefined));
  }
}

describe('restoreRevision', () => {
  it('restores settings and rules of every kind, with their ids and in order', async () => {
    const arranged = await aWorldWithRules();
    const { number, document, restore } = arranged;
    const [at, then] = [number(), await document()];
    await upset(arranged);
    expect(await restore(at)).to.deep.equal(ok([]));
    const { name, tag, ...inside } = await document();
    const { name: _, tag: __, ...before } = then;
    expect(inside).to.deep.equal(before);
    expect([name, tag]).to.deep.equal(['Bakery', 'dev']);
  });

  it('keeps name, tag, ban token and basic-auth users', async () => {
    const arranged = await aWorldWithRules();
    const { world, owner, zone, number, document, restore } = arranged;
    const gone = await aBasicAuthUser(world, owner, zone.id, 'gone');
    const at = number();
    await upset(arranged);
    await valueOf(deleteBasicAuthUser(world)(owner, zone.id, gone.id, undefined));
    await aBasicAuthUser(world, owner, zone.id, 'new');
    const { banToken } = await valueOf(rotateBanToken(world)(owner, zone.id, undefined));
    const { basicAuthUsers } = await document();
    await valueOf(restore(at));
    const after = (await valueOf(readZone(world)(owner, zone.id))).zone;
    expect(after).to.include({ name: 'Bakery', tag: 'dev', banToken });
    expect((await document())['basicAuthUsers']).to.deep.equal(basicAuthUsers);
  });

  it('changes the rules that differ, recreates the missing ones, and keeps the others', async () => {
    const arranged = await aWorldWithRules();
    const { world, zone, number, restore } = arranged;
    const list = listOf(zone, 'accessRule');
    const [a, b, c] = await rulesIn(world, list);
    const at = number();
    await upset(arranged);
    world.clock.advance(60);
    const revision = number();
    await valueOf(restore(at));
    const now = world.clock.now();
    const [anew, changed, same] = await rulesIn(world, list);
    expect(anew).to.deep.equal({ ...a, createdAt: now, updatedAt: now, revision });
    expect(changed).to.deep.equal({ ...b, updatedAt: now, revision: b!.revision + 2 });
    expect(same).to.deep.equal(c);
  });

  it('touches no rule and no list if the zone has not changed', async () => {
    const { world, number, restore } = await aWorldWithRules();
    const before = everythingIn(world);
    world.clock.advance(60);
    await valueOf(restore(number()));
    const after = everythingIn(world);
    expect(after.rules).to.deep.equal(before.rules);
    expect(after.ruleLists).to.deep.equal(before.ruleLists);
    expect([...after.zones.values()].map(({ updatedAt }) => updatedAt)).to.deep.equal(
      [...before.zones.values()].map(({ updatedAt }) => updatedAt),
    );
  });

  it('restores names that were rotated among the rules', async () => {
    const { world, owner, zone, number, restore } = await aWorldWithHistory();
    const list = configurationRulesOf(zone);
    const [a, b] = [await aRule(world, owner, zone.id, 'a'), await aRule(world, owner, zone.id, 'b')];
    const at = number();
    const swapped = [
      { id: a.id, content: b.content.value },
      { id: b.id, content: a.content.value },
    ];
    await valueOf(replaceRules(world)(owner, list, swapped, undefined));
    await valueOf(restore(at));
    expect((await rulesIn(world, list)).map((rule) => [rule.id, rule.content.text])).to.deep.equal([
      [a.id, a.content.text],
      [b.id, b.content.text],
    ]);
  });

  it('checks rules against the restored settings, not the current ones', async () => {
    const { world, owner, zone, number, restore } = await aWorldWithHistory({
      zone_settings: { imageOptimizationPngQualityMax: 95 },
    });
    const settingsOverrides = { imageOptimizationPngQualityMin: 90 };
    const rule = await aRule(world, owner, zone.id, 'sharp', { settingsOverrides });
    const at = number();
    await valueOf(deleteRule(world)(owner, configurationRulesOf(zone), rule.id, undefined));
    const patch = { zone_settings: { imageOptimizationPngQualityMax: null } };
    await valueOf(updateZone(world)(owner, zone.id, patch, undefined));
    expect(await restore(at)).to.deep.equal(ok([]));
    expect(await namesIn(world, configurationRulesOf(zone))).to.deep.equal(['1 sharp']);
  });

  it('adds a revision, recorded with the number it restores; the old ones stay', async () => {
    const arranged = await aWorldWithRules();
    const { world, owner, zone, number, restore } = arranged;
    const at = number();
    await upset(arranged);
    const [before, last] = [await revisionsOf(world, owner, zone.id), number()];
    const entries = await entriesDuring(world, () => restore(at));
    const [restored, ...others] = await revisionsOf(world, owner, zone.id);
    expect(others).to.deep.equal(before);
    expect(restored).to.deep.include({
      number: last + 1,
      action: 'zone.restored',
      objects: { revision: String(at) },
      author: owner.userId,
    });
    expect(revisionOf(world, zone.id)).to.equal(last + 1);
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'zone.restored', objects: { zone: zone.id, revision: String(at) } },
    ]);
  });

  it('has the same result a second time, and can be undone like any other change', async () => {
    const arranged = await aWorldWithRules();
    const { world, owner, zone, number, document, restore } = arranged;
    const at = number();
    await upset(arranged);
    const [last, upside] = [number(), await document()];
    await valueOf(restore(at));
    const restored = await document();
    await valueOf(restore(at));
    expect(await document()).to.deep.equal(restored);
    const [second] = await revisionsOf(world, owner, zone.id);
    expect([second?.number, second?.patch.text, second?.inverse.text]).to.deep.equal([last + 2, '{}', '{}']);
    await valueOf(restore(last));
    expect(await document()).to.deep.equal(upside);
  });
});

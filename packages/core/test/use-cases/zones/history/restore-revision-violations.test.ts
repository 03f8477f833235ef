import { BackendReference, type JsonObject, jsonDocument, mergePatch } from '@zonewright/core';
import { expect } from 'chai';
import { deleteBasicAuthUser } from '../../../../src/zones/basic-auth-users/delete-basic-auth-user.ts';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { addBackends } from '../../../support/backends.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { aWorldWithHistory } from '../../../support/history.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf } from '../../../support/rules.ts';
import { everythingIn, inTables } from '../../../support/world.ts';

const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

describe('restoreRevision', () => {
  describe('refuses, and changes nothing, if a reference no longer resolves:', () => {
    const server = BackendReference.parse({ type: 'origin_server', id: id(1) });
    const basicAuthOf = (user: string) => ({ enabled: true, allowedUserIds: [user] });

    /**
     * A zone that once referred to a backend and a user in its settings and in its second rule; both have been deleted.
     */
    const aWorldWithGone = async (what: 'zone' | 'rule' | 'both', of: (user: string) => JsonObject) => {
      const arranged = await aWorldWithHistory();
      const { world, organization, owner, zone, number } = arranged;
      inTables(world, (tables) => addBackends(tables, organization, [server]));
      const user = await aBasicAuthUser(world, owner, zone.id, 'ada');
      await aRule(world, owner, zone.id, 'first');
      const settings = of(user.id);
      const rule = await aRule(world, owner, zone.id, 'second', what === 'zone' ? {} : { settingsOverrides: settings });
      const zone_settings = what === 'rule' ? {} : settings;
      await valueOf(updateZone(world)(owner, zone.id, { zone_settings }, undefined));
      const at = number();
      await valueOf(deleteRule(world)(owner, configurationRulesOf(zone), rule.id, undefined));
      const reset = { zone_settings: { defaultBackend: null, basicAuth: null, minifyHtml: true } };
      await valueOf(updateZone(world)(owner, zone.id, reset, undefined));
      await valueOf(deleteBasicAuthUser(world)(owner, zone.id, user.id, undefined));
      inTables(world, ({ originServers }) => originServers.clear());
      return { ...arranged, at, second: rule.id };
    };

    const backend = { defaultBackend: { type: 'origin_server', id: id(1) } };
    const cases: readonly (readonly [
      'zone' | 'rule' | 'both',
      string,
      (user: string) => JsonObject,
      ...codes: string[],
    ])[] = [
      ['zone', 'a backend', () => backend, 'zone_settings.defaultBackend backend.unknown'],
      [
        'zone',
        'a basic-auth user',
        (user) => ({ basicAuth: basicAuthOf(user) }),
        'zone_settings.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'zone_settings.basicAuth.enabled basicAuth.noUser',
      ],
      [
        'rule',
        'a backend',
        () => backend,
        'configurationRules.items.<second>.settingsOverrides.defaultBackend backend.unknown',
      ],
      [
        'rule',
        'a basic-auth user',
        (user) => ({ basicAuth: basicAuthOf(user) }),
        'configurationRules.items.<second>.settingsOverrides.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'configurationRules.items.<second>.settingsOverrides.basicAuth.enabled basicAuth.noUser',
      ],
      [
        'both',
        'a backend',
        () => backend,
        'zone_settings.defaultBackend backend.unknown',
        'configurationRules.items.<second>.settingsOverrides.defaultBackend backend.unknown',
      ],
    ];
    const places = { zone: 'the settings', rule: 'the second rule', both: 'the settings and the second rule' };
    for (const [what, gone, of, ...codes] of cases) {
      it(`${gone} of ${places[what]}`, async () => {
        const { world, at, restore, second } = await aWorldWithGone(what, of);
        const before = everythingIn(world);
        expect(await refusalOf(restore(at))).to.deep.equal(codes.map((code) => code.replace('<second>', second)));
        expect(everythingIn(world)).to.deep.equal(before);
      });
    }
  });

  describe('refuses, and changes nothing, if a part is no longer valid:', () => {
    const cases: readonly (readonly [what: string, patch: (rule: string) => JsonObject, ...codes: string[]])[] = [
      [
        'a setting',
        () => ({ zone_settings: { cachingDefaultTtl: -1 } }),
        'zone_settings.cachingDefaultTtl settings.range',
      ],
      [
        'a rule',
        (rule) => ({ configurationRules: { items: { [rule]: { name: '', conditions: { logic: 'xor' } } } } }),
        'configurationRules.items.<second>.name text.tooShort',
        'configurationRules.items.<second>.conditions.logic condition.logic',
      ],
      [
        'a setting and a rule',
        (rule) => ({
          zone_settings: { cachingDefaultTtl: -1 },
          configurationRules: { items: { [rule]: { name: '' } } },
        }),
        'zone_settings.cachingDefaultTtl settings.range',
        'configurationRules.items.<second>.name text.tooShort',
      ],
    ];
    for (const [what, patch, ...codes] of cases) {
      it(what, async () => {
        const { world, owner, zone, number, restore } = await aWorldWithHistory();
        await aRule(world, owner, zone.id, 'first');
        const { id: second } = await aRule(world, owner, zone.id, 'second');
        inTables(world, ({ revisions }) => {
          const rows = revisions.get(zone.id) ?? [];
          const [last] = rows.slice(-1);
          const broken = jsonDocument(mergePatch(last?.patch?.value, patch(second)));
          if (last !== undefined) revisions.set(zone.id, [...rows.slice(0, -1), { ...last, patch: broken }]);
        });
        const before = everythingIn(world);
        expect(await refusalOf(restore(number()))).to.have.members(
          codes.map((code) => code.replace('<second>', second)),
        );
        expect(everythingIn(world)).to.deep.equal(before);
      });
    }
  });
});

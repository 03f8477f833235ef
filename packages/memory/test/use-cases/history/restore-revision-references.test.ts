import { BackendReference, deleteBasicAuthUser, deleteRule, type JsonObject, updateZone } from '@zonewright/core';
import { expect } from 'chai';
import { addBackends } from '../../support/backends.ts';
import { aBasicAuthUser } from '../../support/basic-auth-users.ts';
import { aWorldWithHistory } from '../../support/history.ts';
import { refusalOf, valueOf } from '../../support/outcomes.ts';
import { aRule, configurationRulesOf } from '../../support/rules.ts';
import { everythingIn, inTables } from '../../support/world.ts';

const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

describe('restoreRevision', () => {
  describe('refuses, and changes nothing, when something that it names is gone:', () => {
    const server = BackendReference.parse({ type: 'origin_server', id: id(1) });
    const basicAuthOf = (user: string) => ({ enabled: true, allowedUserIds: [user] });

    /** A zone that once named a backend and a user in its settings and in its second rule; both are gone since. */
    const aWorldWithGone = async (what: 'zone' | 'rule', of: (user: string) => JsonObject) => {
      const arranged = await aWorldWithHistory();
      const { world, organization, owner, zone, number } = arranged;
      inTables(world, (tables) => addBackends(tables, organization, [server]));
      const user = await aBasicAuthUser(world, owner, zone.id, 'ada');
      await aRule(world, owner, zone.id, 'first');
      const settings = of(user.id);
      const rule = await aRule(world, owner, zone.id, 'second', what === 'rule' ? { settingsOverrides: settings } : {});
      const zone_settings = what === 'zone' ? settings : {};
      await valueOf(updateZone(world)(owner, zone.id, { zone_settings }, undefined));
      const at = number();
      await valueOf(deleteRule(world)(owner, configurationRulesOf(zone), rule.id, undefined));
      const reset = { zone_settings: { defaultBackend: null, basicAuth: null, minifyHtml: true } };
      await valueOf(updateZone(world)(owner, zone.id, reset, undefined));
      await valueOf(deleteBasicAuthUser(world)(owner, zone.id, user.id, undefined));
      inTables(world, ({ originServers }) => originServers.clear());
      return { ...arranged, at };
    };

    const backend = { defaultBackend: { type: 'origin_server', id: id(1) } };
    const cases: readonly (readonly ['zone' | 'rule', string, (user: string) => JsonObject, ...codes: string[]])[] = [
      ['zone', 'a backend', () => backend, 'zone_settings.defaultBackend backend.unknown'],
      [
        'zone',
        'a basic-auth user',
        (user) => ({ basicAuth: basicAuthOf(user) }),
        'zone_settings.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'zone_settings.basicAuth.enabled basicAuth.noUser',
      ],
      ['rule', 'a backend', () => backend, 'configurationRules[1].settingsOverrides.defaultBackend backend.unknown'],
      [
        'rule',
        'a basic-auth user',
        (user) => ({ basicAuth: basicAuthOf(user) }),
        'configurationRules[1].settingsOverrides.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'configurationRules[1].settingsOverrides.basicAuth.enabled basicAuth.noUser',
      ],
    ];
    for (const [what, gone, of, ...codes] of cases) {
      it(`${gone} of the ${what === 'zone' ? 'settings' : 'second rule'}`, async () => {
        const { world, at, restore } = await aWorldWithGone(what, of);
        const before = everythingIn(world);
        expect(await refusalOf(restore(at))).to.deep.equal(codes);
        expect(everythingIn(world)).to.deep.equal(before);
      });
    }
  });
});

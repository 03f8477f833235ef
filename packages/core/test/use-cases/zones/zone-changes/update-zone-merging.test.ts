import { defaultZoneSettings, type JsonObject } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { everythingIn } from '../../../support/world.ts';
import { aWorldWithZone } from '../../../support/zones.ts';

describe('updateZone', () => {
  describe('merges the patch into the zone:', () => {
    const key = { uri: false, varyByHostname: true, varyByCookie: ['a'], varyByCountry: false, varyByHeader: [] };
    const stored = {
      tag: 'stage',
      zone_settings: {
        cachingDefaultTtl: 60,
        underAttack: true,
        headersResponseRemove: ['Server'],
        cachingDynamicCacheKey: { uri: false, varyByCookie: ['a'] },
        customPagesErrorHtml: '<h1>Error</h1>',
        backendPortOverride: 8080,
      },
    };
    const cases: readonly (readonly [what: string, patch: JsonObject, changes: object])[] = [
      ['a name replaces the name', { name: ' Bakery ' }, { name: 'Bakery' }],
      ['a name may be written in another case', { name: 'SHOP' }, { name: 'SHOP' }],
      ['a tag replaces the tag, in any case', { tag: 'DEV' }, { tag: 'dev' }],
      ['null for the tag brings back its default', { tag: null }, { tag: 'prod' }],
      [
        'settings are replaced and added one by one',
        { zone_settings: { cachingDefaultTtl: 90, minifyHtml: true } },
        { cachingDefaultTtl: 90, minifyHtml: true },
      ],
      [
        'null gives a setting its default',
        { zone_settings: { cachingDefaultTtl: null, underAttack: null, headersResponseRemove: null } },
        { cachingDefaultTtl: 604_800, underAttack: false, headersResponseRemove: [] },
      ],
      [
        'null removes a setting without a default',
        { zone_settings: { customPagesErrorHtml: null, backendPortOverride: null } },
        { customPagesErrorHtml: undefined, backendPortOverride: undefined },
      ],
      [
        'an object merges member by member, and a list is replaced as a whole',
        { zone_settings: { cachingDynamicCacheKey: { varyByCookie: ['b'] } } },
        { cachingDynamicCacheKey: { ...key, varyByCookie: ['b'] } },
      ],
      [
        'null inside an object brings back the default of the member',
        { zone_settings: { cachingDynamicCacheKey: { uri: null } } },
        { cachingDynamicCacheKey: { ...key, uri: true } },
      ],
    ];
    for (const [what, body, changes] of cases) {
      it(what, async () => {
        const { world, owner, zone, patch } = await aWorldWithZone(stored);
        world.clock.advance(60);
        const updated = await valueOf(patch(body));
        const { name = zone.name, tag = zone.tag, ...changed } = changes as { name?: string; tag?: string };
        const settings = Object.entries({ ...zone.settings.value, ...changed }).filter(
          ([, value]) => value !== undefined,
        );
        expect(updated.settings.value).to.deep.equal(Object.fromEntries(settings));
        expect({ ...updated, settings: undefined }).to.deep.equal({
          ...zone,
          name,
          tag,
          settings: undefined,
          updatedAt: world.clock.now(),
          revision: 2,
        });
        expect((await valueOf(readZone(world)(owner, zone.id))).zone).to.deep.equal(updated);
      });
    }

    it('null for the settings resets all of them', async () => {
      const { patch } = await aWorldWithZone(stored);
      const { settings } = await valueOf(patch({ zone_settings: null }));
      expect(settings.value).to.deep.equal(defaultZoneSettings);
    });
  });

  it('leaves no trace if it changes nothing', async () => {
    const { world, organization, zone, patch } = await aWorldWithZone();
    const before = everythingIn(world);
    world.clock.advance(60);
    const bodies: readonly JsonObject[] = [
      {},
      { name: zone.name },
      { name: ' Shop ', tag: 'Prod', organization },
      { zone_settings: {} },
      { zone_settings: { cachingDefaultTtl: 604_800, backendPortOverride: null, underAttack: null } },
      { tag: null, zone_settings: null },
    ];
    for (const body of bodies) expect(await patch(body)).to.deep.equal(ok(zone));
    expect(everythingIn(world)).to.deep.equal(before);
  });
});

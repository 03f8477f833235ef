import { type JsonObject } from '@zonewright/core';
import { expect } from 'chai';
import { anOrganization, anOutsider, setRole } from '../../../support/organizations.ts';
import { refusalOf } from '../../../support/outcomes.ts';
import { aRule } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';
import { aWorldWithZone, aZone } from '../../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

describe('updateZone', () => {
  describe('refuses, and changes nothing with', () => {
    const cases: readonly (readonly [what: string, patch: JsonObject, ...codes: string[]])[] = [
      ['no name', { name: null }, 'name member.required'],
      ['another ban token', { banToken: 'ban_x' }, 'banToken member.unknown'],
      ['an unknown member', { settings: {} }, 'settings member.unknown'],
      ['an unknown setting', { zone_settings: { x: 1 } }, 'zone_settings.x member.unknown'],
      ['another organization', { organization: 4711 }, 'organization organization.change'],
      ['no organization', { organization: null }, 'organization organization.change'],
      [
        'several errors at once',
        { name: null, organization: 4711, zone_settings: { underAttack: 1 } },
        'name member.required',
        'zone_settings.underAttack member.type',
        'organization organization.change',
      ],
      [
        'inconsistent settings',
        { zone_settings: { imageOptimizationPngQualityMin: 90 } },
        'zone_settings.imageOptimizationPngQualityMax settings.quality.order',
      ],
      [
        'backends and users that do not exist',
        {
          zone_settings: {
            defaultBackend: { type: 'origin', id: missingId },
            basicAuth: { enabled: true, allowedUserIds: [missingId] },
          },
        },
        'zone_settings.defaultBackend backend.unknown',
        'zone_settings.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'zone_settings.basicAuth.enabled basicAuth.noUser',
      ],
    ];
    for (const [what, body, ...codes] of cases) {
      it(what, async () => {
        const { world, patch } = await aWorldWithZone();
        const before = everythingIn(world);
        expect(await refusalOf(patch(body))).to.have.members(codes);
        expect(everythingIn(world)).to.deep.equal(before);
      });
    }
  });

  describe('with the name or tag of', () => {
    const duplicate = 'name zone.name.duplicate';
    const cases: readonly (readonly [what: string, patch: JsonObject, ...codes: string[]])[] = [
      ['another zone', { name: 'Bakery' }, duplicate],
      ['another zone in another case', { name: 'bAKERY' }, duplicate],
      ['another zone, and a tag under which it is free', { name: 'Bakery', tag: 'dev' }, 'accepted'],
      ['a zone under another tag, which becomes this one', { name: 'Florist', tag: 'stage' }, duplicate],
      ['a zone under another tag', { name: 'Florist' }, 'accepted'],
      [
        'another zone, with invalid settings as well',
        { name: 'Bakery', zone_settings: { imageOptimizationPngQualityMin: 90 } },
        duplicate,
        'zone_settings.imageOptimizationPngQualityMax settings.quality.order',
      ],
      ['a zone of another organization', { name: 'Foreign' }, 'accepted'],
    ];
    for (const [what, body, ...codes] of cases) {
      it(`${what} is ${codes[0] === 'accepted' ? 'accepted' : 'refused'}`, async () => {
        const { world, owner, patch } = await aWorldWithZone();
        await aZone(world, owner, { name: 'Bakery' });
        await aZone(world, owner, { name: 'Florist', tag: 'stage' });
        await aZone(world, anOutsider(world), { name: 'Foreign' });
        expect(await refusalOf(patch(body))).to.deep.equal(codes);
      });
    }
  });

  describe('reports the rule that would no longer be consistent with the settings:', () => {
    const cases: readonly (readonly [
      what: string,
      overrides: object,
      zone_settings: JsonObject,
      ...paths: string[],
    ])[] = [
      [
        'a quality',
        { imageOptimizationPngQualityMin: 75 },
        { imageOptimizationPngQualityMax: 70 },
        'imageOptimizationPngQualityMax',
      ],
      [
        'a header that the rule sets',
        { headersResponseSet: [{ name: 'server', value: 'x' }] },
        { headersResponseRemove: ['Via', 'Server'] },
        'headersResponseRemove[1]',
      ],
      [
        'nothing if the rule overrides both',
        { imageOptimizationPngQualityMin: 85, imageOptimizationPngQualityMax: 90 },
        { imageOptimizationPngQualityMax: 70 },
      ],
    ];
    for (const [what, settingsOverrides, zone_settings, ...paths] of cases) {
      it(what, async () => {
        const { world, owner, zone, patch } = await aWorldWithZone();
        await aRule(world, owner, zone.id, 'fits');
        const { id } = await aRule(world, owner, zone.id, 'breaks', { settingsOverrides });
        const before = everythingIn(world);
        const body = { zone_settings: { ...zone_settings, imageOptimizationPngQualityMin: 60 } };
        const outcome = await patch(body);
        const violations = outcome.isErr() && outcome.error.type === 'InvalidInput' ? outcome.error.violations : [];
        expect(violations.map(({ propertyPath }) => propertyPath)).to.deep.equal(
          paths.map((path) => `zone_settings.${path}`),
        );
        for (const { message } of violations) expect(message).to.include(`"breaks" (${id})`);
        expect(outcome.isOk()).to.equal(paths.length === 0);
        if (outcome.isErr()) expect(everythingIn(world)).to.deep.equal(before);
      });
    }
  });

  it('never moves the zone, even to an organization in which the caller may write', async () => {
    const { world, owner, patch } = await aWorldWithZone();
    const other = anOrganization(world);
    setRole(world, other, owner.userId, 'owner');
    expect(await refusalOf(patch({ organization: other }))).to.deep.equal(['organization organization.change']);
  });
});

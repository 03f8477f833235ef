import {
  BackendReference as Backend,
  type BackendReference,
  defaultZoneSettings,
  jsonDocument,
  permissionDenied,
} from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { createZone } from '../../../../src/zones/zone-changes/create-zone.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { aMember, anOrganization, anOutsider, callerOf, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { aZone, aZoneDraft } from '../../../support/zones.ts';

const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

const aWorldWithOwner = (backends: readonly BackendReference[] = []) => {
  const world = aWorld();
  const organization = anOrganization(world, { backends });
  return { world, organization, owner: aMember(world, organization, 'owner'), create: createZone(world) };
};

describe('createZone', () => {
  it('stores a zone with complete settings, a new ban token, and the caller as creator', async () => {
    const { world, organization, owner, create } = aWorldWithOwner();
    const zone = await valueOf(create(owner, aZoneDraft({ name: ' Shop ', tag: 'Stage' })));
    expect(zone).to.deep.equal({
      id: zone.id,
      organizationId: organization,
      name: 'Shop',
      tag: 'stage',
      hostnames: [],
      banToken: zone.banToken,
      createdBy: owner.userId,
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
      settings: jsonDocument(defaultZoneSettings),
    });
    expect(zone.banToken).to.match(/^ban_[0-9A-Za-z]{36}$/);
    expect((await valueOf(readZone(world)(owner, zone.id))).zone).to.deep.equal(zone);
  });

  it('defaults the tag to prod', async () => {
    const { world, owner } = aWorldWithOwner();
    expect((await aZone(world, owner)).tag).to.equal('prod');
  });

  it('keeps the settings of the body and fills in the others', async () => {
    const { world, owner } = aWorldWithOwner();
    const zone_settings = { underAttack: true, cachingCustomCacheTagHeaders: [], imageOptimizationAvifQuality: 33 };
    const { settings } = await aZone(world, owner, { zone_settings });
    expect(settings.value).to.deep.equal({ ...defaultZoneSettings, ...zone_settings });
  });

  it('gives every zone its own ban token', async () => {
    const { world, owner } = aWorldWithOwner();
    const tokens = [await aZone(world, owner, { name: 'a' }), await aZone(world, owner, { name: 'b' })];
    expect(new Set(tokens.map(({ banToken }) => banToken)).size).to.equal(2);
  });

  describe('in an organization', () => {
    it('given in the body', async () => {
      const { world, owner, create } = aWorldWithOwner();
      const other = anOrganization(world);
      setRole(world, other, owner.userId, 'editor');
      const zone = await valueOf(create(callerOf(world, owner.userId), aZoneDraft({ organization: other })));
      expect(zone.organizationId).to.equal(other);
    });

    it('that is the only one in which the caller may create zones', async () => {
      const { world, organization, owner, create } = aWorldWithOwner();
      const readable = anOrganization(world);
      setRole(world, readable, owner.userId, 'viewer');
      const zone = await valueOf(create(callerOf(world, owner.userId), aZoneDraft()));
      expect(zone.organizationId).to.equal(organization);
    });

    it('required from users who may create zones in several', async () => {
      const { world, owner, create } = aWorldWithOwner();
      setRole(world, anOrganization(world), owner.userId, 'editor');
      expect(await refusalOf(create(callerOf(world, owner.userId), aZoneDraft()))).to.deep.equal([
        'organization member.required',
      ]);
    });

    it('that is missing for users who may create zones in none', async () => {
      const { world, organization, owner, create } = aWorldWithOwner();
      const viewer = aMember(world, organization, 'viewer');
      setRole(world, organization, owner.userId, undefined);
      for (const caller of [viewer, callerOf(world, owner.userId)]) {
        expect(await refusalOf(create(caller, aZoneDraft()))).to.deep.equal(['PermissionDenied']);
      }
    });
  });

  it('is refused in organizations of others, and in missing ones', async () => {
    const { world, organization, create } = aWorldWithOwner();
    for (const named of [organization, 4711]) {
      expect(await create(anOutsider(world), aZoneDraft({ organization: named }))).to.deep.equal(
        err(permissionDenied('zones.create')),
      );
    }
    expect(everythingIn(world).zones.size).to.equal(0);
  });

  it('uses the current role, not the one at authentication', async () => {
    const { world, organization, owner, create } = aWorldWithOwner();
    setRole(world, organization, owner.userId, 'viewer');
    expect(await create(owner, aZoneDraft())).to.deep.equal(err(permissionDenied('zones.create')));
    setRole(world, organization, owner.userId, undefined);
    expect(await create(owner, aZoneDraft())).to.deep.equal(err(permissionDenied('zones.create')));
    setRole(world, organization, owner.userId, 'editor');
    expect((await create(owner, aZoneDraft())).isOk()).to.equal(true);
  });

  describe('with a name', () => {
    const duplicate = ['name zone.name.duplicate'];
    const cases: readonly (readonly [what: string, draft: object, outcome: readonly string[]])[] = [
      ['that is taken', { name: 'Shop' }, duplicate],
      ['that differs in case only', { name: 'sHOP' }, duplicate],
      ['that differs in white space at the ends only', { name: '  Shop\n' }, duplicate],
      ['that is taken, with the tag in another case', { name: 'Shop', tag: 'PROD' }, duplicate],
      ['that is taken under another tag', { name: 'Shop', tag: 'dev' }, ['accepted']],
      ['that contains a taken one', { name: 'Shop 2' }, ['accepted']],
    ];
    for (const [what, draft, outcome] of cases) {
      it(`${what} is ${outcome[0] === 'accepted' ? 'accepted' : 'refused'}`, async () => {
        const { world, owner, create } = aWorldWithOwner();
        await aZone(world, owner, { name: 'Shop' });
        expect(await refusalOf(create(owner, aZoneDraft(draft)))).to.deep.equal(outcome);
      });
    }

    it('that uses other code points for the same letters is refused', async () => {
      const { world, owner, create } = aWorldWithOwner();
      await aZone(world, owner, { name: 'Caf\u00e9' });
      expect(await refusalOf(create(owner, aZoneDraft({ name: 'CAFE\u0301' })))).to.deep.equal(duplicate);
    });

    it('that is taken in another organization is accepted', async () => {
      const { world, owner, create } = aWorldWithOwner();
      await aZone(world, owner);
      expect((await create(anOutsider(world), aZoneDraft())).isOk()).to.equal(true);
    });
  });

  describe('with settings that refer to other things', () => {
    const server = Backend.parse({ type: 'origin_server', id: id(1) });
    const balancer = Backend.parse({ type: 'load_balancer', id: id(2) });
    const unknown = ['zone_settings.defaultBackend backend.unknown'];
    const cases: readonly (readonly [what: string, zone_settings: object, outcome: readonly string[]])[] = [
      ['an origin server of the organization', { defaultBackend: server }, ['accepted']],
      ['the same by its alias', { defaultBackend: { type: 'origin', id: id(1) } }, ['accepted']],
      ['a load balancer of the organization', { defaultBackend: balancer }, ['accepted']],
      ['no backend', { defaultBackend: null }, ['accepted']],
      ['an unknown backend', { defaultBackend: { type: 'origin_server', id: id(9) } }, unknown],
      ['a backend with the wrong kind', { defaultBackend: { type: 'load_balancer', id: id(1) } }, unknown],
      ['basic auth that is off', { basicAuth: { enabled: false } }, ['accepted']],
      [
        'basic auth without users',
        { basicAuth: { enabled: true } },
        ['zone_settings.basicAuth.enabled basicAuth.noUser'],
      ],
      [
        'basic-auth users, which a new zone cannot have',
        { basicAuth: { allowedUserIds: [id(1), id(2)] } },
        [
          'zone_settings.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
          'zone_settings.basicAuth.allowedUserIds[1] basicAuth.user.unknown',
        ],
      ],
    ];
    for (const [what, zone_settings, outcome] of cases) {
      it(`${outcome[0] === 'accepted' ? 'accepts' : 'refuses'} ${what}`, async () => {
        const { owner, create } = aWorldWithOwner([server, balancer]);
        expect(await refusalOf(create(owner, aZoneDraft({ zone_settings })))).to.deep.equal(outcome);
      });
    }

    it('refuses a backend of another organization, even one of the same user', async () => {
      const { world, organization, owner, create } = aWorldWithOwner();
      const other = anOrganization(world, { backends: [server] });
      setRole(world, other, owner.userId, 'owner');
      const draft = aZoneDraft({ organization, zone_settings: { defaultBackend: server } });
      expect(await refusalOf(create(owner, draft))).to.deep.equal(unknown);
    });
  });

  it('reports all violations of the settings, and stores nothing', async () => {
    const { world, owner, create } = aWorldWithOwner();
    const before = everythingIn(world);
    const zone_settings = {
      imageOptimizationPngQualityMin: 90,
      headersResponseRemove: ['Server'],
      headersResponseSet: [{ name: 'server', value: 'x' }],
      defaultBackend: { type: 'origin', id: id(9) },
      basicAuth: { enabled: true, allowedUserIds: [id(1)] },
    };
    expect(await refusalOf(create(owner, aZoneDraft({ zone_settings })))).to.have.members([
      'zone_settings.imageOptimizationPngQualityMax settings.quality.order',
      'zone_settings.headersResponseSet[0].name settings.header.conflict',
      'zone_settings.defaultBackend backend.unknown',
      'zone_settings.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
      'zone_settings.basicAuth.enabled basicAuth.noUser',
    ]);
    expect(everythingIn(world)).to.deep.equal(before);
  });
});

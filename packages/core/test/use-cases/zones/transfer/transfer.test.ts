import {
  DomainDraft,
  exportOrganization,
  exportZone,
  HostName,
  type ImportOptions,
  importZones,
  type JsonObject,
  parseTransferDocument,
} from '@zonewright/core';
import { expect } from 'chai';
import { createDomain } from '../../../../src/organizations/domains/create-domain.ts';
import { verifyDomain } from '../../../../src/organizations/domains/verify-domain.ts';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aBalancer, aServer, over } from '../../../support/backends.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { aMember, anOrganization } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, draftOf, listOf, onPath } from '../../../support/rules.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorld, everythingIn, inTables } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

/** An organization whose first zone has one of everything, and refers to everything possible. */
async function aWorldToTakeAlong() {
  const world = aWorld();
  const { organization, owner, zone } = await anOrganizationWithZone(world);
  const [server, spare] = [
    await aServer(world, owner, organization, 'Web'),
    await aServer(world, owner, organization, 'Spare'),
  ];
  const balancer = await aBalancer(world, owner, organization, 'All', [over(server, { weight: 3 })]);
  const user = await aBasicAuthUser(world, owner, zone.id, 'grace', { comment: 'Admiral' });
  const zone_settings = {
    defaultBackend: { type: 'load_balancer', id: balancer.id },
    basicAuth: { enabled: true, allowedUserIds: [user.id] },
    minifyHtml: true,
  };
  await valueOf(updateZone(world)(owner, zone.id, { zone_settings }, undefined));
  await aRule(world, owner, zone.id, 'second');
  const settingsOverrides = { defaultBackend: { type: 'origin_server', id: spare.id } };
  await valueOf(
    createRule(world)(
      owner,
      listOf(zone, 'configurationRule'),
      draftOf('configurationRule', { name: 'first', conditions: onPath('/first'), settingsOverrides, order: 1 }),
    ),
  );
  const rewrite = { name: 'Blog', operator: 'equals', sourcePattern: '/blog', target: '/posts' };
  await valueOf(createRule(world)(owner, listOf(zone, 'rewriteRule'), draftOf('rewriteRule', rewrite)));
  const target = anOrganization(world);
  const importer = aMember(world, target, 'owner');
  const taken = async () =>
    JSON.parse(JSON.stringify(await valueOf(exportOrganization(world)(organization)))) as JsonObject;
  const bring = (document: JsonObject, caller = importer, options: Partial<ImportOptions> = {}) =>
    parseTransferDocument(document).asyncAndThen((known) => importZones(world)(caller, target, known, options));
  return { world, organization, owner, zone, spare, target, importer, taken, bring };
}

/** Numbers ids by first appearance, so that copies can be compared. */
function withoutIds(document: unknown): unknown {
  const seen: string[] = [];
  const text = JSON.stringify(document).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
    if (!seen.includes(id)) seen.push(id);
    return `id ${seen.indexOf(id)}`;
  });
  return JSON.parse(text);
}

describe('exports and imports', () => {
  it('copy one organization to another, with new ids and everything else equal', async () => {
    const { world, owner, target, taken, bring } = await aWorldToTakeAlong();
    await aZone(world, owner, { name: 'Plain', tag: 'dev' });
    const document = await taken();
    const imported = await valueOf(bring(document));
    expect(imported.originServers).to.have.deep.members([
      { name: 'Web', outcome: 'created' },
      { name: 'Spare', outcome: 'created' },
    ]);
    expect(imported.loadBalancers).to.deep.equal([{ name: 'All', outcome: 'created' }]);
    expect(
      imported.zones.map(({ name, tag, usersWithoutPassword }) => [name, tag, usersWithoutPassword]),
    ).to.deep.equal([
      ['Plain', 'dev', []],
      ['Shop', 'prod', ['grace']],
    ]);
    const copy = await valueOf(exportOrganization(world)(target));
    expect(withoutIds(copy)).to.deep.equal(withoutIds(document));
    expect(JSON.stringify(copy).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)).to.not.include.members(
      JSON.stringify(document).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [],
    );
  });

  it('contain no secrets: a copy has its own ban token, and a hash that no password matches', async () => {
    const { world, zone, taken, bring } = await aWorldToTakeAlong();
    const text = JSON.stringify(await taken());
    const before = [...everythingIn(world).basicAuthUsers.values()].map(({ hash }) => hash);
    for (const secret of [zone.banToken, ...before]) expect(text).to.not.include(secret);
    const { zones } = await valueOf(bring(await taken()));
    const { zones: stored, basicAuthUsers } = everythingIn(world);
    expect(stored.get(zones[0]!.id)?.banToken)
      .to.match(/^ban_\w{36}$/)
      .and.to.not.equal(zone.banToken);
    expect([...basicAuthUsers.values()].at(-1)?.hash).to.match(/^\$2y\$10\$\w{53}$/);
  });

  it('of one zone include the backends it uses, and skip existing ones', async () => {
    const { world, organization, owner, zone } = await aWorldToTakeAlong();
    const unused = await aServer(world, owner, organization, 'Unused');
    const document = await valueOf(exportZone(world)(zone.id));
    expect(Object.keys(document.originServers)).to.have.length(2).and.to.not.include(unused.id);
    const renamed = { ...document, zones: document.zones.map((each) => ({ ...each, name: 'Copy' })) };
    const imported = await valueOf(importZones(world)(owner, organization, renamed));
    const outcomes = [...imported.originServers, ...imported.loadBalancers].map(({ outcome }) => outcome);
    expect(outcomes).to.deep.equal(['reused', 'reused', 'reused']);
    const copy = await valueOf(exportZone(world)(imported.zones[0]!.id));
    expect(copy.zones[0]?.['zone_settings']).to.have.deep.property(
      'defaultBackend',
      (document.zones[0]!['zone_settings'] as JsonObject)['defaultBackend'],
    );
  });

  it('are recorded as writes of the caller', async () => {
    const { world, importer, target, taken, bring } = await aWorldToTakeAlong();
    const document = await taken();
    const entries = await entriesDuring(world, () => bring(document));
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'originServer.created',
      'originServer.created',
      'loadBalancer.created',
      'zone.created',
      'zone.imported',
    ]);
    for (const entry of entries) expect(entry).to.include({ actor: importer.userId, organization: target });
  });

  const broken: readonly (readonly [what: string, change: (zone: JsonObject) => JsonObject, refusal: RegExp])[] = [
    ['an overlong name', (zone) => ({ ...zone, name: 'x'.repeat(256) }), /^zones\[1\]\.name text\.tooLong$/],
    [
      'an unknown setting',
      (zone) => ({ ...zone, zone_settings: { speed: 11 } }),
      /^zones\[1\]\.zone_settings\.speed member\.unknown$/,
    ],
    [
      'a backend that does not exist',
      (zone) => ({
        ...zone,
        zone_settings: { defaultBackend: { type: 'origin_server', id: '00000000-0000-4000-8000-000000000000' } },
      }),
      /^zones\[1\]\.zone_settings\.defaultBackend backend\.unknown$/,
    ],
    [
      'a user without a name',
      (zone) => ({ ...zone, basicAuthUsers: { '00000000-0000-4000-8000-000000000001': { username: '' } } }),
      /^zones\[1\]\.basicAuthUsers\.00000000-0000-4000-8000-000000000001\.username /,
    ],
    [
      'two users of the same name',
      (zone) => ({
        ...zone,
        basicAuthUsers: {
          '00000000-0000-4000-8000-000000000001': { username: 'ada' },
          '00000000-0000-4000-8000-000000000003': { username: 'ada' },
        },
      }),
      /^zones\[1\]\.basicAuthUsers\.00000000-0000-4000-8000-000000000003\.username basicAuth\.username\.duplicate$/,
    ],
    [
      'an invalid rule, at its id in the document',
      (zone) => ({
        ...zone,
        rewriteRules: {
          order: ['00000000-0000-4000-8000-000000000002'],
          items: { '00000000-0000-4000-8000-000000000002': {} },
        },
      }),
      /^zones\[1\]\.rewriteRules\.items\.00000000-0000-4000-8000-000000000002\.name member\.required$/,
    ],
    ['a taken name', (zone) => ({ ...zone, name: 'shop' }), /^zones\[1\]\.name zone\.name\.duplicate$/],
  ];
  for (const [what, change, refusal] of broken) {
    it(`leave nothing behind if the second zone has ${what}`, async () => {
      const { world, owner, taken, bring } = await aWorldToTakeAlong();
      await aZone(world, owner, { name: 'Zoo' });
      const document = await taken();
      const [first, second] = document['zones'] as JsonObject[];
      const before = everythingIn(world);
      const [found] = await refusalOf(bring({ ...document, zones: [first!, change(second!)] }));
      expect(found).to.match(refusal);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  it('are refused to callers who may not write, and for documents of another format', async () => {
    const { world, target, taken, bring } = await aWorldToTakeAlong();
    const document = await taken();
    expect(await refusalOf(bring(document, aMember(world, target, 'viewer')))).to.deep.equal(['PermissionDenied']);
    expect(await refusalOf(bring({ ...document, version: 2 }))).to.deep.equal(['version value.choice']);
  });

  it('reuse backends of the same name on request, and are refused if they differ', async () => {
    const { world, owner, zone, spare, target, bring } = await aWorldToTakeAlong();
    const only = await valueOf(exportZone(world)(zone.id));
    await valueOf(bring(JSON.parse(JSON.stringify(only)) as JsonObject));
    const second = await aZone(world, owner, { name: 'Second' });
    const zone_settings = { defaultBackend: { type: 'origin_server', id: spare.id } };
    await valueOf(updateZone(world)(owner, second.id, { zone_settings }, undefined));
    const document = JSON.parse(JSON.stringify(await valueOf(exportZone(world)(second.id)))) as JsonObject;
    expect(await refusalOf(bring(document))).to.deep.equal([
      `originServers.${spare.id}.name originServer.name.duplicate`,
      `originServers.${spare.id}.address originServer.address.duplicate`,
    ]);
    const { originServers } = await valueOf(bring(document, undefined, { reuseBackends: true }));
    expect(originServers).to.deep.equal([{ name: 'Spare', outcome: 'reused' }]);
    const copy = await valueOf(exportOrganization(world)(target));
    expect(Object.values(copy.originServers)).to.have.length(2);
    const moved = JSON.parse(
      JSON.stringify(document).replaceAll(/"address":"[^"]+"/g, '"address":"moved.example.net"'),
    );
    expect(await refusalOf(bring(moved, undefined, { reuseBackends: true }))).to.deep.equal([
      `originServers.${spare.id}.name import.backend.differs`,
    ]);
  });

  it('update zones of the same name and tag by one revision each, and keep ids of what has the same name', async () => {
    const { world, owner, zone, target, taken, bring } = await aWorldToTakeAlong();
    const { zones: created } = await valueOf(bring(await taken()));
    const before = await valueOf(exportOrganization(world)(target));
    await aBasicAuthUser(world, owner, zone.id, 'hedy');
    await valueOf(updateZone(world)(owner, zone.id, { zone_settings: { minifyHtml: false } }, undefined));
    const document = await taken();
    const options = { reuseBackends: true, update: true };
    const entries = await entriesDuring(world, () => bring(document, undefined, options));
    expect(entries.map(({ action }) => action)).to.deep.equal(['zone.imported']);
    const after = await valueOf(exportOrganization(world)(target));
    expect(withoutIds(after)).to.deep.equal(withoutIds(document));
    expect(after.zones[0]!['configurationRules']).to.deep.equal(before.zones[0]!['configurationRules']);
    const again = await valueOf(bring(document, undefined, options));
    expect(again.zones).to.deep.equal([
      {
        id: created[0]!.id,
        name: 'Shop',
        tag: 'prod',
        outcome: 'unchanged',
        usersWithoutPassword: [],
        hostnamesLeftOut: [],
      },
    ]);
  });

  it('are rehearsed without a trace', async () => {
    const { world, taken, bring } = await aWorldToTakeAlong();
    const document = await taken();
    const before = everythingIn(world);
    const { originServers, zones } = await valueOf(bring(document, undefined, { isRehearsal: true }));
    expect([originServers.length, zones[0]?.outcome, zones[0]?.usersWithoutPassword]).to.deep.equal([
      2,
      'created',
      ['grace'],
    ]);
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('bring host names that the organization can have, and say which they leave out', async () => {
    const { world, owner, target, importer, zone, taken, bring } = await aWorldToTakeAlong();
    inTables(world, ({ zones }) => {
      const hostnames = [HostName.parse('a.example.com'), HostName.parse('b.example.com')];
      zones.set(zone.id, { ...zones.get(zone.id)!, hostnames });
    });
    const document = await taken();
    inTables(world, ({ zones }) => {
      zones.set(zone.id, { ...zones.get(zone.id)!, hostnames: [HostName.parse('b.example.com')] });
    });
    const {
      zones: [uncovered],
    } = await valueOf(bring(document));
    expect(uncovered?.hostnamesLeftOut).to.deep.equal(['a.example.com', 'b.example.com']);
    for (const [caller, organization] of [
      [owner, zone.organizationId],
      [importer, target],
    ] as const) {
      const draft = DomainDraft.parse({ name: 'example.com' });
      const domain = await valueOf(createDomain(world)(caller, organization, draft));
      await valueOf(verifyDomain(world)(caller, organization, domain.id, 'proven', undefined));
    }
    const {
      zones: [updated],
    } = await valueOf(bring(document, importer, { update: true, reuseBackends: true }));
    expect(updated).to.deep.include({ outcome: 'updated', hostnamesLeftOut: ['b.example.com'] });
    const namesOf = (id: typeof zone.id) => inTables(world, ({ zones }) => zones.get(id)?.hostnames);
    expect(namesOf(updated!.id)).to.deep.equal(['a.example.com']);
    const [{ hostnames: _, ...old }] = document['zones'] as [JsonObject];
    await valueOf(bring({ ...document, zones: [old] }, importer, { update: true, reuseBackends: true }));
    expect(namesOf(updated!.id)).to.deep.equal(['a.example.com']);
  });
});

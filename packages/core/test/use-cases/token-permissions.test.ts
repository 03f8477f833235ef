import {
  type Caller,
  type ChangeSetId,
  defaultTokenPermissions,
  type HostNameRules,
  type OrganizationId,
  type RuleKind,
  type TokenPermission,
  tokenPermissions,
  type UseCases,
  useCases,
  type ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { createChangeSet } from '../../src/review/change-sets/create-change-set.ts';
import { updateZone } from '../../src/zones/zone-changes/update-zone.ts';
import { aBalancer, aServer } from '../support/backends.ts';
import { programOf } from '../support/organizations.ts';
import { refusalOf, valueOf } from '../support/outcomes.ts';
import { aRule } from '../support/rules.ts';
import { aWorld, everythingIn } from '../support/world.ts';
import { anOrganizationWithZone, aZone } from '../support/zones.ts';

/** Where a use case is called. Nothing else exists there. */
interface Place {
  readonly organization: OrganizationId;
  readonly zone: ZoneId;
}

type Call = (all: UseCases, caller: Caller, place: Place) => ResultAsync<unknown, { readonly type: string }>;

/** Never used: permissions are checked first. */
const unused = {} as never;
const kind: RuleKind = 'configurationRule';

const zones = ['zones:read', 'zones:write'] as const;
const rules = [...zones, 'rules:write'] as const;
const backends = [...zones, 'backends:write'] as const;
const contents = ['zones:write', 'rules:write'] as const;

/** Use cases for programs, with the permissions of which each needs one, `admin` aside. */
const calls: Readonly<Record<string, readonly [needed: readonly TokenPermission[], call: Call]>> = {
  readUser: [['members:read'], (all, caller) => all.readUser(caller, caller.userId)],
  listOrganizations: [['members:read'], (all, caller) => all.listOrganizations(caller, unused)],
  createOrganization: [[], (all, caller) => all.createOrganization(caller, unused)],
  readOrganization: [['members:read'], (all, caller, { organization: id }) => all.readOrganization(caller, id)],
  updateOrganization: [[], (all, caller, { organization: id }) => all.updateOrganization(caller, id, {}, unused)],
  listMembers: [['members:read'], (all, caller, { organization: id }) => all.listMembers(caller, id, unused)],
  readMember: [['members:read'], (all, caller, { organization: id }) => all.readMember(caller, id, caller.userId)],
  changeMemberRole: [
    [],
    (all, caller, { organization: id }) => all.changeMemberRole(caller, id, unused, 'viewer', undefined),
  ],
  readAuditLog: [
    ['audit:read'],
    (all, caller, { organization }) => all.readAuditLog(caller, { organization } as never, unused),
  ],
  listInvitations: [['members:read'], (all, caller, { organization: id }) => all.listInvitations(caller, id, unused)],
  readInvitation: [['members:read'], (all, caller, { organization: id }) => all.readInvitation(caller, id, unused)],
  createInvitation: [
    [],
    (all, caller, { organization: id }) => all.createInvitation(caller, id, { role: 'viewer' } as never),
  ],
  listOriginServers: [backends, (all, caller, { organization }) => all.listOriginServers(caller, organization, unused)],
  readOriginServer: [backends, (all, caller, { organization: id }) => all.readOriginServer(caller, id, unused)],
  listLoadBalancers: [backends, (all, caller, { organization }) => all.listLoadBalancers(caller, organization, unused)],
  readLoadBalancer: [backends, (all, caller, { organization: id }) => all.readLoadBalancer(caller, id, unused)],
  createOriginServer: [
    ['backends:write'],
    (all, caller, { organization: id }) => all.createOriginServer(caller, id, unused),
  ],
  createLoadBalancer: [
    ['backends:write'],
    (all, caller, { organization: id }) => all.createLoadBalancer(caller, id, unused),
  ],
  listZones: [zones, (all, caller) => all.listZones(caller, { sort: [], tags: [] } as never)],
  createZone: [['zones:write'], (all, caller, { organization }) => all.createZone(caller, { organization } as never)],
  readZone: [zones, (all, caller, { zone }) => all.readZone(caller, zone)],
  updateProfile: [
    ['zones:write', 'rules:write', 'purges:write', 'backends:write'],
    (all, caller) => all.updateProfile(caller, {}, undefined),
  ],
  updateZone: [['zones:write'], (all, caller, { zone }) => all.updateZone(caller, zone, {}, undefined)],
  rotateBanToken: [['zones:write'], (all, caller, { zone }) => all.rotateBanToken(caller, zone, undefined)],
  listRules: [rules, (all, caller, { zone }) => all.listRules(caller, { zone, kind }, unused)],
  readRule: [rules, (all, caller, { zone }) => all.readRule(caller, { zone, kind }, unused)],
  createRule: [['rules:write'], (all, caller, { zone }) => all.createRule(caller, { zone, kind }, unused)],
  deleteRule: [['rules:write'], (all, caller, { zone }) => all.deleteRule(caller, { zone, kind }, unused, undefined)],
  listBasicAuthUsers: [rules, (all, caller, { zone }) => all.listBasicAuthUsers(caller, zone, unused)],
  readBasicAuthUser: [rules, (all, caller, { zone }) => all.readBasicAuthUser(caller, zone, unused)],
  deleteBasicAuthUser: [
    ['rules:write'],
    (all, caller, { zone }) => all.deleteBasicAuthUser(caller, zone, unused, undefined),
  ],
  listRevisions: [zones, (all, caller, { zone }) => all.listRevisions(caller, zone, unused)],
  readRevision: [zones, (all, caller, { zone }) => all.readRevision(caller, zone, unused)],
  restoreRevision: [['zones:write'], (all, caller, { zone }) => all.restoreRevision(caller, zone, unused, undefined)],
  listDeletedZones: [
    zones,
    (all, caller, { organization }) => all.listDeletedZones(caller, { organization, search: undefined }, unused),
  ],
  readDeletedZone: [zones, (all, caller, { organization, zone }) => all.readDeletedZone(caller, organization, zone)],
  evaluateRequest: [zones, (all, caller, { zone }) => all.evaluateRequest(caller, zone, unused)],
  listChangeSets: [zones, (all, caller, { zone }) => all.listChangeSets(caller, zone, { statuses: [] } as never)],
  readChangeSet: [zones, (all, caller, { zone }) => all.readChangeSet(caller, zone, unused)],
  discardChangeSet: [contents, (all, caller, { zone }) => all.discardChangeSet(caller, zone, unused, undefined)],
  applyChangeSet: [contents, (all, caller, { zone }) => all.applyChangeSet(caller, zone, unused, undefined)],
  listPromotions: [zones, (all, caller, { zone }) => all.listPromotions(caller, zone, unused)],
};

describe('use cases that programs call', () => {
  for (const [name, [needed, call]] of Object.entries(calls)) {
    it(`${name} needs ${['admin', ...needed].join(' or ')}, whoever calls it`, async () => {
      const world = aWorld();
      const { organization, owner, zone } = await anOrganizationWithZone(world);
      for (const permission of tokenPermissions) {
        const program = programOf(world, owner.userId, { permissions: [permission] });
        const outcome = async () => await call(useCases(world), program, { organization, zone: zone.id });
        const isEnough = permission === 'admin' || needed.includes(permission);
        // With the permission, what is unused otherwise may be a defect.
        const refusal = await outcome().then(
          (result) => (result.isErr() ? result.error.type : 'accepted'),
          () => 'a defect',
        );
        if (isEnough) expect(refusal, permission).not.to.equal('PermissionMissing');
        else expect(refusal, permission).to.equal('PermissionMissing');
      }
    });
  }
});

describe('permissions by effect', () => {
  const writing = ['zones:write', 'rules:write'] as const;
  const patches = {
    'zones:write': { zone_settings: { minifyHtml: true } },
    'rules:write': { configurationRules: { order: [], items: {} } },
  } as const;

  const aPlace = async (rules?: HostNameRules) => {
    const world = aWorld({}, rules);
    const { owner, zone } = await anOrganizationWithZone(world);
    const program = (...permissions: readonly TokenPermission[]) => programOf(world, owner.userId, { permissions });
    const draft = (caller: Caller, patch: object) =>
      createChangeSet(world)(caller, zone.id, {
        title: 'A draft',
        description: '',
        base: undefined,
        content: { patch },
      } as never);
    const apply = (caller: Caller, id: ChangeSetId) => useCases(world).applyChangeSet(caller, zone.id, id, undefined);
    return { world, owner, zone, program, draft, apply };
  };

  for (const permission of writing) {
    const other = writing.find((each) => each !== permission)!;

    it(`let a program draft only what ${permission} covers`, async () => {
      const { program, draft } = await aPlace();
      expect(await refusalOf(draft(program(permission), patches[permission]))).to.deep.equal(['accepted']);
      expect(await refusalOf(draft(program(permission), patches[other]))).to.deep.equal(['PermissionMissing']);
      const both = { ...patches[permission], ...patches[other] };
      expect(await refusalOf(draft(program(permission), both))).to.deep.equal(['PermissionMissing']);
      expect(await refusalOf(draft(program(...writing), both))).to.deep.equal(['accepted']);
    });
  }

  it('let a program apply only changes that it could make', async () => {
    const { world, owner, zone, program, draft, apply } = await aPlace();
    const { id } = await aRule(world, owner, zone.id, 'A rule');
    const effects = { ...patches, 'rules:write': { configurationRules: { order: [], items: { [id]: null } } } };
    for (const permission of writing) {
      const other = writing.find((each) => each !== permission)!;
      const { set } = await valueOf(draft(owner, effects[permission]));
      const before = await valueOf(useCases(world).readZone(owner, zone.id));
      expect(await refusalOf(apply(program(other), set.id))).to.deep.equal(['PermissionMissing']);
      expect(await valueOf(useCases(world).readZone(owner, zone.id))).to.deep.equal(before);
      expect(await refusalOf(apply(program(permission), set.id))).to.deep.equal(['accepted']);
    }
  });

  /** What each change needs, host names included. */
  const changes = {
    settings: patches['zones:write'],
    hostnames: { hostnames: ['www.example.com'] },
  };

  for (const [what, change] of Object.entries(changes)) {
    it(`let a program restore ${what} only with what it could change by itself, and leave no trace otherwise`, async () => {
      const { world, owner, zone, program } = await aPlace({ own: undefined, verification: 'off' });
      await valueOf(updateZone(world)(owner, zone.id, change, undefined));
      const restore = (caller: Caller) => useCases(world).restoreRevision(caller, zone.id, 1 as never, undefined);
      const before = everythingIn(world);
      for (const permissions of [
        ['rules:write'],
        ['zones:read', 'rules:write'],
        ['zones:read', 'backends:write'],
      ] as const) {
        expect(await refusalOf(restore(program(...permissions))), permissions.join()).to.deep.equal([
          'PermissionMissing',
        ]);
        expect(everythingIn(world)).to.deep.equal(before);
      }
      expect(await refusalOf(restore(program('zones:write')))).to.deep.equal(['accepted']);
    });
  }

  it('let a program restore rules with rules:write if it may read the zone, which the response shows', async () => {
    const { world, owner, zone, program } = await aPlace();
    await aRule(world, owner, zone.id, 'A rule');
    const restore = (caller: Caller) => useCases(world).restoreRevision(caller, zone.id, 1 as never, undefined);
    const before = everythingIn(world);
    const refused = await restore(program('rules:write'));
    expect(refused.isErr() && refused.error).to.deep.equal({ type: 'PermissionMissing', permission: 'zones:read' });
    expect(everythingIn(world)).to.deep.equal(before);
    expect(await refusalOf(restore(program('rules:write', 'zones:read')))).to.deep.equal(['accepted']);
  });

  it('let no program draft or apply other host names with rules:write', async () => {
    const { owner, program, draft, apply } = await aPlace({ own: undefined, verification: 'off' });
    expect(await refusalOf(draft(program('rules:write'), changes.hostnames))).to.deep.equal(['PermissionMissing']);
    const { set } = await valueOf(draft(owner, changes.hostnames));
    expect(await refusalOf(apply(program('rules:write'), set.id))).to.deep.equal(['PermissionMissing']);
    expect(await refusalOf(apply(program('zones:write'), set.id))).to.deep.equal(['accepted']);
  });
});

describe('a program for some zones', () => {
  it('finds no other zones, whatever it asks', async () => {
    const world = aWorld();
    const { organization, owner, zone } = await anOrganizationWithZone(world);
    const inside = await aZone(world, owner, { name: 'Blog', organization });
    const program = programOf(world, owner.userId, { zones: [inside.id] });
    for (const [name, [, call]] of Object.entries(calls)) {
      if (!String(call).includes('zone') || /DeletedZone|createZone|listZones/.test(name)) continue;
      const result = await call(useCases(world), program, { organization, zone: zone.id });
      expect(result.isErr() && result.error.type, name).to.equal('ZoneNotFound');
    }
  });

  for (const kind of ['origin server', 'load balancer'] as const) {
    it(`changes no ${kind} that other zones use, by themselves or in rules, directly or through a load balancer`, async () => {
      const world = aWorld();
      const { organization, owner, zone: inside } = await anOrganizationWithZone(world);
      const outside = await aZone(world, owner, { name: 'Blog', organization });
      const cases = useCases(world);
      const server = await aServer(world, owner, organization, 'Server');
      const balancer = await aBalancer(world, owner, organization, 'Pool', [{ originServer: server.id }]);
      const program = programOf(world, owner.userId, { zones: [inside.id] });
      const change = (name: string) =>
        kind === 'origin server'
          ? refusalOf(cases.updateOriginServer(program, organization, server.id, { name }, undefined))
          : refusalOf(cases.updateLoadBalancer(program, organization, balancer.id, { name }, undefined));
      const remove = () =>
        kind === 'origin server'
          ? refusalOf(cases.deleteOriginServer(program, organization, server.id, undefined))
          : refusalOf(cases.deleteLoadBalancer(program, organization, balancer.id, undefined));
      const use = (zone: ZoneId, isUsed: boolean) =>
        valueOf(
          cases.updateZone(
            owner,
            zone,
            { zone_settings: { defaultBackend: isUsed ? { type: 'load_balancer', id: balancer.id } : null } },
            undefined,
          ),
        );
      await use(inside.id, true);
      expect(await change('Mine')).to.deep.equal(['accepted']);
      await use(outside.id, true);
      const before = everythingIn(world);
      for (const refused of [change('Theirs'), remove()]) {
        expect(await refused).to.deep.equal(['BackendUsedElsewhere']);
      }
      expect(everythingIn(world)).to.deep.equal(before);
      await use(outside.id, false);
      expect(await remove()).to.deep.equal(['BackendInUse']);
    });
  }

  it('sees the ban token only with purges:write', async () => {
    const world = aWorld();
    const { owner, zone } = await anOrganizationWithZone(world);
    const seen = async (...permissions: readonly TokenPermission[]) =>
      (await valueOf(useCases(world).readZone(programOf(world, owner.userId, { permissions }), zone.id))).zone.banToken;
    expect(await seen(...defaultTokenPermissions)).to.equal(zone.banToken);
    expect(await seen('zones:read', 'purges:write')).to.equal(zone.banToken);
    expect(await seen('zones:read', 'zones:write')).not.to.equal(zone.banToken);
  });
});

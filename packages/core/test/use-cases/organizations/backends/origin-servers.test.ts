import {
  BackendId,
  backendVersion,
  defaultUsageLimits,
  type JsonObject,
  OrganizationId,
  organizationNotFound,
  originServerNotFound,
  permissionDenied,
  roles,
  twoFactorRequired,
  versionMismatch,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { originNetworksIn } from '../../../../src/organizations/backends/address.ts';
import { deleteOriginServer } from '../../../../src/organizations/backends/delete-backend.ts';
import { listOriginServers, readOriginServer } from '../../../../src/organizations/backends/read-backends.ts';
import { createOriginServer, updateOriginServer } from '../../../../src/organizations/backends/write-origin-server.ts';
import { aBalancer, addBackends, aServer, aServerDraft, over } from '../../../support/backends.ts';
import {
  aMember,
  anOutsider,
  aWorldWithOrganization,
  callerOf,
  changeOrganization,
  setRole,
} from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { everythingIn, inTables } from '../../../support/world.ts';

const missing = OrganizationId.parse(2_000_000_000);
const unknown = BackendId.parse('00000000-0000-7000-8000-00000000ffff');
const page = { page: 1, itemsPerPage: 100 };

const aWorldWithServer = async (changes: object = {}) => {
  const arranged = aWorldWithOrganization();
  const { world, owner, organization } = arranged;
  const server = await aServer(world, owner, organization, 'Main', changes);
  world.clock.advance(60);
  const patch = (body: JsonObject, expected?: readonly string[]) =>
    updateOriginServer(world)(owner, organization, server.id, body, expected);
  const remove = (expected?: readonly string[]) => deleteOriginServer(world)(owner, organization, server.id, expected);
  return { ...arranged, server, patch, remove };
};

describe('createOriginServer', () => {
  it('stores what was written, with the port of the protocol', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const draft = aServerDraft('Main', { address: 'Origin.example.net.' });
    const server = await valueOf(createOriginServer(world)(owner, organization, draft));
    const stamp = { createdAt: world.clock.now(), updatedAt: world.clock.now(), revision: 1 };
    expect(server).to.deep.equal({
      id: server.id,
      organizationId: organization,
      name: 'Main',
      protocol: 'https',
      address: 'Origin.example.net',
      port: 443,
      requestHostname: undefined,
      ...stamp,
    });
    expect(await readOriginServer(world)(owner, organization, server.id)).to.deep.equal(ok(server));
  });

  it('refuses outsiders, members who lack a required second factor, and missing organizations', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const create = createOriginServer(world);
    const draft = aServerDraft('Main');
    expect(await create(anOutsider(world), organization, draft)).to.deep.equal(err(permissionDenied('backends.write')));
    expect(await create(owner, missing, draft)).to.deep.equal(err(organizationNotFound()));
    changeOrganization(world, organization, { enforceTwoFactor: true });
    expect(await create(owner, organization, draft)).to.deep.equal(err(twoFactorRequired(organization)));
  });

  it('does not use a permission that was revoked after authentication', async () => {
    const { world, organization } = aWorldWithOrganization();
    const editor = aMember(world, organization, 'editor');
    setRole(world, organization, editor.userId, 'viewer');
    const outcome = createOriginServer(world)(editor, organization, aServerDraft('Main'));
    expect(await refusalOf(outcome)).to.deep.equal(['PermissionDenied']);
  });

  it('allows private addresses only in the networks of the installation', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const originNetworks = originNetworksIn('10.0.0.0/8') ?? [];
    const draft = aServerDraft('Main', { address: '10.0.0.1' });
    expect(await refusalOf(createOriginServer(world)(owner, organization, draft))).to.deep.equal([
      'address backend.address.forbidden',
    ]);
    const { id } = await valueOf(createOriginServer({ ...world, originNetworks })(owner, organization, draft));
    const move = (address: string) =>
      refusalOf(updateOriginServer({ ...world, originNetworks })(owner, organization, id, { address }, undefined));
    expect(await move('10.0.0.2')).to.deep.equal(['accepted']);
    expect(await move('192.168.0.1')).to.deep.equal(['address backend.address.forbidden']);
  });

  it('reports all clashes at once, and stores nothing', async () => {
    const { world, organization, owner, server } = await aWorldWithServer();
    const before = everythingIn(world);
    const draft = aServerDraft('mAIN', { address: server.address.toUpperCase() });
    expect(await refusalOf(createOriginServer(world)(owner, organization, draft))).to.deep.equal([
      'name originServer.name.duplicate',
      'address originServer.address.duplicate',
    ]);
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('accepts the same in another organization, and another port at the same address', async () => {
    const { world, organization, owner, server } = await aWorldWithServer();
    const create = createOriginServer(world);
    const same = { address: server.address };
    const outsider = anOutsider(world);
    const [[other]] = [[...outsider.memberships.keys()]];
    expect(await refusalOf(create(outsider, other!, aServerDraft('Main', same)))).to.deep.equal(['accepted']);
    const outcome = create(owner, organization, aServerDraft('Other', { ...same, port: 444 }));
    expect(await refusalOf(outcome)).to.deep.equal(['accepted']);
  });

  it('allows at most 200 backends of both kinds per organization', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const fill = (from: number, count: number, type: string) =>
      inTables(world, (tables) =>
        addBackends(
          tables,
          organization,
          Array.from({ length: count }, (_, index) => ({
            type: type as 'origin_server',
            id: BackendId.parse(`00000000-0000-7000-9000-${String(from + index).padStart(12, '0')}`),
          })),
        ),
      );
    // Each load balancer comes with an origin server.
    fill(0, 99, 'load_balancer');
    fill(1000, 1, 'origin_server');
    const create = createOriginServer(world);
    expect(await refusalOf(create(owner, organization, aServerDraft('a')))).to.deep.equal(['accepted']);
    expect(await refusalOf(create(owner, organization, aServerDraft('b')))).to.deep.equal([
      ' organization.backends.limit',
    ]);
    const { originServers, loadBalancers } = everythingIn(world);
    expect(originServers.size + loadBalancers.size).to.equal(defaultUsageLimits.backends);
  });

  it('is recorded', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const entries = await entriesDuring(world, () => aServer(world, owner, organization, 'Main'));
    const [id] = [...everythingIn(world).originServers.keys()];
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'originServer.created', of: organization, objects: { originServer: id } },
    ]);
  });
});

describe('listOriginServers and readOriginServer', () => {
  for (const role of roles) {
    it(`show origin servers to a role of ${role}, by name`, async () => {
      const { world, organization, owner } = aWorldWithOrganization();
      const servers = [];
      for (const name of ['beta', 'Alpha', 'GAMMA']) servers.push(await aServer(world, owner, organization, name));
      const caller = aMember(world, organization, role);
      const { items, totalItems } = await valueOf(listOriginServers(world)(caller, organization, page));
      expect(items.map(({ name }) => name)).to.deep.equal(['Alpha', 'beta', 'GAMMA']);
      expect(totalItems).to.equal(3);
      expect(await readOriginServer(world)(caller, organization, servers[0]!.id)).to.deep.equal(ok(servers[0]));
    });
  }

  it('refuse outsiders, and distinguish missing resources from those of others', async () => {
    const { world, organization, owner, server } = await aWorldWithServer();
    const [list, read] = [listOriginServers(world), readOriginServer(world)];
    const outsider = anOutsider(world);
    const denied = err(permissionDenied('backends.read'));
    expect(await list(outsider, organization, page)).to.deep.equal(denied);
    expect(await read(outsider, organization, server.id)).to.deep.equal(denied);
    expect(await list(owner, missing, page)).to.deep.equal(err(organizationNotFound()));
    expect(await read(owner, missing, server.id)).to.deep.equal(err(organizationNotFound()));
    expect(await read(owner, organization, unknown)).to.deep.equal(err(originServerNotFound()));
    const [[other]] = [[...outsider.memberships.keys()]];
    expect(await read(outsider, other!, server.id)).to.deep.equal(err(originServerNotFound()));
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const caller = callerOf(world, owner.userId);
    expect(await refusalOf(list(caller, organization, page))).to.deep.equal(['TwoFactorRequired']);
    expect(await refusalOf(read(caller, organization, server.id))).to.deep.equal(['TwoFactorRequired']);
  });
});

describe('updateOriginServer', () => {
  it('changes the members in the patch, and the version', async () => {
    const { world, organization, owner, server, patch } = await aWorldWithServer();
    const changed = await valueOf(patch({ name: 'Other', port: 8443, requestHostname: 'www.example.com' }));
    expect(changed).to.deep.equal({
      ...server,
      name: 'Other',
      port: 8443,
      requestHostname: 'www.example.com',
      updatedAt: world.clock.now(),
      revision: 2,
    });
    expect(await readOriginServer(world)(owner, organization, server.id)).to.deep.equal(ok(changed));
  });

  const resets: readonly (readonly [what: string, before: object, body: JsonObject, after: object])[] = [
    ['null resets the port to that of the protocol', { port: 8443 }, { port: null }, { port: 443 }],
    ['null removes the host name', { requestHostname: 'a.example' }, { requestHostname: null }, { port: 443 }],
    ['the port stays if the protocol changes', {}, { protocol: 'http' }, { protocol: 'http', port: 443 }],
    [
      'the port follows the protocol if it is reset, too',
      {},
      { protocol: 'http', port: null },
      { protocol: 'http', port: 80 },
    ],
    ['the address may change only its case', {}, { address: 'MAIN.example.net' }, { address: 'MAIN.example.net' }],
  ];
  for (const [what, before, body, after] of resets) {
    it(`applies a merge patch: ${what}`, async () => {
      const { patch } = await aWorldWithServer(before);
      expect(await valueOf(patch(body))).to.include({ requestHostname: undefined, ...after, revision: 2 });
    });
  }

  for (const [what, body] of [
    ['an empty patch', {}],
    ['a patch that repeats the current values', { name: 'Main', port: 443 }],
    ['a patch that resets members with default values', { port: null, requestHostname: null }],
  ] as const) {
    it(`leaves no trace of ${what}`, async () => {
      const { world, server, patch } = await aWorldWithServer();
      const before = everythingIn(world);
      expect(await valueOf(patch({ ...body }))).to.deep.equal(server);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  const refused: readonly (readonly [what: string, body: JsonObject, ...violations: string[]])[] = [
    ['the removal of the name', { name: null }, 'name member.required'],
    ['the removal of the protocol', { protocol: null }, 'protocol member.required'],
    ['the removal of the address', { address: null }, 'address member.required'],
    ['a private address', { address: '192.168.0.1' }, 'address backend.address.forbidden'],
    ['an unknown member', { weight: 1 }, 'weight member.unknown'],
    [
      'name and address of another one',
      { name: 'OTHER', address: 'other.EXAMPLE.net' },
      'name originServer.name.duplicate',
      'address originServer.address.duplicate',
    ],
  ];
  for (const [what, body, ...violations] of refused) {
    it(`refuses ${what}`, async () => {
      const { world, organization, owner, patch } = await aWorldWithServer();
      await aServer(world, owner, organization, 'Other');
      expect(await refusalOf(patch(body))).to.deep.equal(violations);
    });
  }

  it('changes nothing if the version is not expected, whether or not the patch is valid', async () => {
    const { world, server, patch } = await aWorldWithServer();
    const version = backendVersion(server);
    for (const body of [{ name: 'Other' }, { name: '' }, {}]) {
      expect(await patch(body, ['9', 'x'])).to.deep.equal(err(versionMismatch(version)));
    }
    expect(everythingIn(world).originServers.get(server.id)).to.deep.equal(server);
    expect(await refusalOf(patch({ name: 'Other' }, ['9', version]))).to.deep.equal(['accepted']);
  });

  it('refuses callers without permission, and missing resources', async () => {
    const { world, organization, owner, server } = await aWorldWithServer();
    const update = updateOriginServer(world);
    const viewer = aMember(world, organization, 'viewer');
    const denied = err(permissionDenied('backends.write'));
    for (const caller of [viewer, anOutsider(world)]) {
      expect(await update(caller, organization, server.id, {}, undefined)).to.deep.equal(denied);
      expect(await update(caller, organization, unknown, {}, undefined)).to.deep.equal(denied);
    }
    expect(await update(owner, organization, unknown, {}, undefined)).to.deep.equal(err(originServerNotFound()));
    expect(await update(owner, missing, server.id, {}, undefined)).to.deep.equal(err(organizationNotFound()));
  });

  it('is recorded', async () => {
    const { world, organization, server, patch } = await aWorldWithServer();
    const entries = await entriesDuring(world, () => patch({ name: 'Other' }));
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'originServer.changed', of: organization, objects: { originServer: server.id } },
    ]);
  });
});

describe('deleteOriginServer', () => {
  it('deletes it, and frees name and address', async () => {
    const { world, organization, owner, remove } = await aWorldWithServer();
    await valueOf(remove());
    expect(await refusalOf(remove())).to.deep.equal(['OriginServerNotFound']);
    expect((await aServer(world, owner, organization, 'Main')).revision).to.equal(1);
  });

  it('refuses while a load balancer uses it, and names the load balancer', async () => {
    const { world, organization, owner, server, remove } = await aWorldWithServer();
    const balancer = await aBalancer(world, owner, organization, 'Both', [over(server, { enabled: false })]);
    const users = [{ kind: 'loadBalancer', name: 'Both', organization, loadBalancer: balancer.id }];
    expect(await remove()).to.deep.equal(err({ type: 'BackendInUse', users }));
  });

  it('deletes nothing if the version is not expected', async () => {
    const { server, remove } = await aWorldWithServer();
    expect(await remove(['9'])).to.deep.equal(err(versionMismatch(backendVersion(server))));
    expect(await refusalOf(remove([backendVersion(server)]))).to.deep.equal(['accepted']);
  });

  it('refuses callers without permission', async () => {
    const { world, organization, server } = await aWorldWithServer();
    for (const caller of [aMember(world, organization, 'viewer'), anOutsider(world)]) {
      const outcome = deleteOriginServer(world)(caller, organization, server.id, undefined);
      expect(await refusalOf(outcome)).to.deep.equal(['PermissionDenied']);
    }
  });

  it('is recorded', async () => {
    const { world, organization, server, remove } = await aWorldWithServer();
    const entries = await entriesDuring(world, () => remove());
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'originServer.deleted', of: organization, objects: { originServer: server.id, name: server.name } },
    ]);
  });
});

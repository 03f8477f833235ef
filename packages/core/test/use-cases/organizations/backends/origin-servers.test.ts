import { type JsonObject } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { originNetworksIn } from '../../../../src/organizations/backends/address.ts';
import { deleteOriginServer } from '../../../../src/organizations/backends/delete-backend.ts';
import { readOriginServer } from '../../../../src/organizations/backends/read-backends.ts';
import { createOriginServer, updateOriginServer } from '../../../../src/organizations/backends/write-origin-server.ts';
import { aBalancer, aServer, aServerDraft, over } from '../../../support/backends.ts';
import { aWorldWithOrganization } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { everythingIn } from '../../../support/world.ts';

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
    ['the removal of the address', { address: null }, 'address member.required'],
    ['a private address', { address: '192.168.0.1' }, 'address backend.address.forbidden'],
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
});

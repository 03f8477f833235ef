import {
  BackendId,
  backendVersion,
  type JsonObject,
  loadBalancerNotFound,
  OrganizationId,
  organizationNotFound,
  permissionDenied,
  roles,
  versionMismatch,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { deleteLoadBalancer } from '../../../../src/organizations/backends/delete-backend.ts';
import { listLoadBalancers, readLoadBalancer } from '../../../../src/organizations/backends/read-backends.ts';
import { createLoadBalancer, updateLoadBalancer } from '../../../../src/organizations/backends/write-load-balancer.ts';
import { aBalancer, aBalancerDraft, addBackends, aServer, over } from '../../../support/backends.ts';
import { aMember, anOrganization, anOutsider } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorld, everythingIn, inTables } from '../../../support/world.ts';

const missing = OrganizationId.parse(2_000_000_000);
const unknown = BackendId.parse('00000000-0000-7000-8000-00000000ffff');
const page = { page: 1, itemsPerPage: 100 };

/** An organization with two origin servers, and one of another organization. */
const aWorldWithServers = async () => {
  const world = aWorld();
  const organization = anOrganization(world);
  const owner = aMember(world, organization, 'owner');
  const [first, second] = [
    await aServer(world, owner, organization, 'first'),
    await aServer(world, owner, organization, 'second'),
  ];
  const outsider = anOutsider(world);
  const [[other]] = [[...outsider.memberships.keys()]];
  const foreign = await aServer(world, outsider, other!, 'foreign');
  return { world, organization, owner, first, second, foreign, outsider, other: other! };
};

const aWorldWithBalancer = async () => {
  const arranged = await aWorldWithServers();
  const { world, owner, organization, first } = arranged;
  const balancer = await aBalancer(world, owner, organization, 'Main', [over(first)]);
  world.clock.advance(60);
  const patch = (body: object, expected?: readonly string[]) =>
    updateLoadBalancer(world)(owner, organization, balancer.id, body as JsonObject, expected);
  const remove = (expected?: readonly string[]) =>
    deleteLoadBalancer(world)(owner, organization, balancer.id, expected);
  return { ...arranged, balancer, patch, remove };
};

describe('createLoadBalancer', () => {
  it('stores what was written, with defaults for omitted members', async () => {
    const { world, organization, owner, first, second } = await aWorldWithServers();
    const draft = aBalancerDraft('Main', [over(second, { weight: 5, enabled: false }), over(first)]);
    const balancer = await valueOf(createLoadBalancer(world)(owner, organization, draft));
    expect(balancer).to.deep.equal({
      id: balancer.id,
      organizationId: organization,
      name: 'Main',
      method: 'random',
      requestHostname: undefined,
      origins: [
        { originServer: second.id, weight: 5, enabled: false },
        { originServer: first.id, weight: 1, enabled: true },
      ],
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
    expect(await readLoadBalancer(world)(owner, organization, balancer.id)).to.deep.equal(ok(balancer));
  });

  it('reports all violations at once, and stores nothing', async () => {
    const { world, organization, owner, first, foreign } = await aWorldWithBalancer();
    const before = everythingIn(world);
    const draft = aBalancerDraft('mAIN', [over({ id: unknown }), over(first), over(foreign)]);
    expect(await refusalOf(createLoadBalancer(world)(owner, organization, draft))).to.deep.equal([
      'name loadBalancer.name.duplicate',
      'origins[0].originServer loadBalancer.origin.unknown',
      'origins[2].originServer loadBalancer.origin.unknown',
    ]);
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('refuses a load balancer as an origin', async () => {
    const { world, organization, owner, balancer } = await aWorldWithBalancer();
    const outcome = createLoadBalancer(world)(owner, organization, aBalancerDraft('Two', [over(balancer)]));
    expect(await refusalOf(outcome)).to.deep.equal(['origins[0].originServer loadBalancer.origin.unknown']);
  });

  it('refuses outsiders, and missing organizations', async () => {
    const { world, organization, owner, outsider, first } = await aWorldWithServers();
    const create = createLoadBalancer(world);
    const draft = aBalancerDraft('Main', [over(first)]);
    expect(await create(outsider, organization, draft)).to.deep.equal(err(permissionDenied('backends.write')));
    expect(await create(owner, missing, draft)).to.deep.equal(err(organizationNotFound()));
  });

  it('allows at most 200 backends of both kinds per organization', async () => {
    const { world, organization, owner, first } = await aWorldWithServers();
    inTables(world, (tables) =>
      addBackends(
        tables,
        organization,
        Array.from({ length: 197 }, (_, index) => ({
          type: 'origin_server' as const,
          id: BackendId.parse(`00000000-0000-7000-9000-${String(index).padStart(12, '0')}`),
        })),
      ),
    );
    const create = createLoadBalancer(world);
    const outcomes = ['a', 'b'].map((name) =>
      refusalOf(create(owner, organization, aBalancerDraft(name, [over(first)]))),
    );
    expect(await Promise.all(outcomes)).to.deep.equal([['accepted'], [' organization.backends.limit']]);
  });

  it('is recorded', async () => {
    const { world, organization, owner, first } = await aWorldWithServers();
    const entries = await entriesDuring(world, () => aBalancer(world, owner, organization, 'Main', [over(first)]));
    const [id] = [...everythingIn(world).loadBalancers.keys()];
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'loadBalancer.created', of: organization, objects: { loadBalancer: id } },
    ]);
  });
});

describe('listLoadBalancers and readLoadBalancer', () => {
  for (const role of roles) {
    it(`show load balancers to a role of ${role}, by name`, async () => {
      const { world, organization, owner, first } = await aWorldWithServers();
      const balancers = [];
      for (const name of ['beta', 'Alpha', 'GAMMA'])
        balancers.push(await aBalancer(world, owner, organization, name, [over(first)]));
      const caller = aMember(world, organization, role);
      const { items, totalItems } = await valueOf(listLoadBalancers(world)(caller, organization, page));
      expect(items.map(({ name }) => name)).to.deep.equal(['Alpha', 'beta', 'GAMMA']);
      expect(totalItems).to.equal(3);
      expect(await readLoadBalancer(world)(caller, organization, balancers[0]!.id)).to.deep.equal(ok(balancers[0]));
    });
  }

  it('refuse outsiders, and distinguish missing resources from those of others', async () => {
    const { world, organization, owner, outsider, other, balancer } = await aWorldWithBalancer();
    const [list, read] = [listLoadBalancers(world), readLoadBalancer(world)];
    const denied = err(permissionDenied('backends.read'));
    expect(await list(outsider, organization, page)).to.deep.equal(denied);
    expect(await read(outsider, organization, balancer.id)).to.deep.equal(denied);
    expect(await list(owner, missing, page)).to.deep.equal(err(organizationNotFound()));
    expect(await read(owner, organization, unknown)).to.deep.equal(err(loadBalancerNotFound()));
    expect(await read(outsider, other, balancer.id)).to.deep.equal(err(loadBalancerNotFound()));
  });
});

describe('updateLoadBalancer', () => {
  it('changes the members in the patch, and the version', async () => {
    const { world, organization, owner, balancer, second, patch } = await aWorldWithBalancer();
    const changed = await valueOf(
      patch({ name: 'Other', method: 'ip_hash', requestHostname: 'www.example.com', origins: [over(second)] }),
    );
    expect(changed).to.deep.equal({
      ...balancer,
      name: 'Other',
      method: 'ip_hash',
      requestHostname: 'www.example.com',
      origins: [{ originServer: second.id, weight: 1, enabled: true }],
      updatedAt: world.clock.now(),
      revision: 2,
    });
    expect(await readLoadBalancer(world)(owner, organization, balancer.id)).to.deep.equal(ok(changed));
  });

  it('replaces the list of origins as a whole, and keeps it if the patch does not contain it', async () => {
    const { first, second, balancer, patch } = await aWorldWithBalancer();
    const origins = [over(second, { weight: 3 }), over(first, { enabled: false })];
    expect((await valueOf(patch({ origins }))).origins).to.deep.equal([
      { originServer: second.id, weight: 3, enabled: true },
      { originServer: first.id, weight: 1, enabled: false },
    ]);
    expect((await valueOf(patch({ origins: [over(second)] }))).origins).to.deep.equal([
      { originServer: second.id, weight: 1, enabled: true },
    ]);
    expect(await valueOf(patch({ name: 'Other' }))).to.deep.include({
      id: balancer.id,
      revision: 4,
      origins: [{ originServer: second.id, weight: 1, enabled: true }],
    });
  });

  it('treats a new order of the origins as a change', async () => {
    const { first, second, patch } = await aWorldWithBalancer();
    await valueOf(patch({ origins: [over(first), over(second)] }));
    expect((await valueOf(patch({ origins: [over(second), over(first)] }))).revision).to.equal(3);
  });

  it('treats null as the default method and as no host name', async () => {
    const { patch } = await aWorldWithBalancer();
    await valueOf(patch({ method: 'ip_hash', requestHostname: 'www.example.com' }));
    const reset = await valueOf(patch({ method: null, requestHostname: null }));
    expect(reset).to.include({ method: 'random', requestHostname: undefined, revision: 3 });
  });

  for (const [what, body] of [
    ['an empty patch', {}],
    ['a patch that resets members with default values', { method: null, requestHostname: null }],
    ['a patch that repeats the current values', { name: 'Main', method: 'random' }],
  ] as const) {
    it(`leaves no trace of ${what}`, async () => {
      const { world, balancer, first, patch } = await aWorldWithBalancer();
      const before = everythingIn(world);
      expect(await valueOf(patch({ ...body, origins: [over(first)] }))).to.deep.equal(balancer);
      expect(await valueOf(patch(body))).to.deep.equal(balancer);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  const refused: readonly (readonly [what: string, body: JsonObject, violation: string])[] = [
    ['the removal of the name', { name: null }, 'name member.required'],
    ['the removal of the origins', { origins: null }, 'origins member.required'],
    ['an empty list of origins', { origins: [] }, 'origins list.tooShort'],
    [
      'an unknown origin',
      { origins: [{ originServer: unknown }] },
      'origins[0].originServer loadBalancer.origin.unknown',
    ],
    ['a name of another one', { name: 'OTHER' }, 'name loadBalancer.name.duplicate'],
    ['an unknown member', { weight: 1 }, 'weight member.unknown'],
  ];
  for (const [what, body, violation] of refused) {
    it(`refuses ${what}`, async () => {
      const { world, organization, owner, first, patch } = await aWorldWithBalancer();
      await aBalancer(world, owner, organization, 'Other', [over(first)]);
      expect(await refusalOf(patch(body))).to.deep.equal([violation]);
    });
  }

  it('refuses an origin server of another organization', async () => {
    const { first, foreign, patch } = await aWorldWithBalancer();
    expect(await refusalOf(patch({ origins: [over(first), over(foreign)] }))).to.deep.equal([
      'origins[1].originServer loadBalancer.origin.unknown',
    ]);
  });

  it('changes nothing if the version is not expected, whether or not the patch is valid', async () => {
    const { world, balancer, patch } = await aWorldWithBalancer();
    const version = backendVersion(balancer);
    for (const body of [{ name: 'Other' }, { name: '' }, {}]) {
      expect(await patch(body, ['9'])).to.deep.equal(err(versionMismatch(version)));
    }
    expect(everythingIn(world).loadBalancers.get(balancer.id)).to.deep.equal(balancer);
    expect(await refusalOf(patch({ name: 'Other' }, [version]))).to.deep.equal(['accepted']);
  });

  it('refuses callers without permission, and missing resources', async () => {
    const { world, organization, owner, outsider, balancer } = await aWorldWithBalancer();
    const update = updateLoadBalancer(world);
    for (const caller of [aMember(world, organization, 'viewer'), outsider]) {
      const outcome = update(caller, organization, balancer.id, {}, undefined);
      expect(await refusalOf(outcome)).to.deep.equal(['PermissionDenied']);
    }
    expect(await update(owner, organization, unknown, {}, undefined)).to.deep.equal(err(loadBalancerNotFound()));
  });

  it('is recorded', async () => {
    const { world, organization, balancer, patch } = await aWorldWithBalancer();
    const entries = await entriesDuring(world, () => patch({ name: 'Other' }));
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'loadBalancer.changed', of: organization, objects: { loadBalancer: balancer.id } },
    ]);
  });
});

describe('deleteLoadBalancer', () => {
  it('deletes it, and keeps its origin servers', async () => {
    const { world, organization, owner, first, remove } = await aWorldWithBalancer();
    const before = everythingIn(world).originServers;
    await valueOf(remove());
    expect(everythingIn(world).originServers).to.deep.equal(before);
    expect(await refusalOf(remove())).to.deep.equal(['LoadBalancerNotFound']);
    expect((await aBalancer(world, owner, organization, 'Main', [over(first)])).revision).to.equal(1);
  });

  it('deletes nothing if the version is not expected', async () => {
    const { balancer, remove } = await aWorldWithBalancer();
    expect(await remove(['9'])).to.deep.equal(err(versionMismatch(backendVersion(balancer))));
    expect(await refusalOf(remove([backendVersion(balancer)]))).to.deep.equal(['accepted']);
  });

  it('refuses callers without permission', async () => {
    const { world, organization, outsider, balancer } = await aWorldWithBalancer();
    for (const caller of [aMember(world, organization, 'viewer'), outsider]) {
      const outcome = deleteLoadBalancer(world)(caller, organization, balancer.id, undefined);
      expect(await refusalOf(outcome)).to.deep.equal(['PermissionDenied']);
    }
  });

  it('is recorded', async () => {
    const { world, organization, balancer, remove } = await aWorldWithBalancer();
    const entries = await entriesDuring(world, () => remove());
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'loadBalancer.deleted', of: organization, objects: { loadBalancer: balancer.id, name: balancer.name } },
    ]);
  });
});

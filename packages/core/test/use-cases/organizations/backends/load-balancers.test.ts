import { BackendId, type JsonObject } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { deleteLoadBalancer } from '../../../../src/organizations/backends/delete-backend.ts';
import { readLoadBalancer } from '../../../../src/organizations/backends/read-backends.ts';
import { createLoadBalancer, updateLoadBalancer } from '../../../../src/organizations/backends/write-load-balancer.ts';
import { aBalancer, aBalancerDraft, aServer, over } from '../../../support/backends.ts';
import { aMember, anOrganization, anOutsider } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';

const unknown = BackendId.parse('00000000-0000-7000-8000-00000000ffff');

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
    ['the removal of the origins', { origins: null }, 'origins member.required'],
    [
      'an unknown origin',
      { origins: [{ originServer: unknown }] },
      'origins[0].originServer loadBalancer.origin.unknown',
    ],
    ['a name of another one', { name: 'OTHER' }, 'name loadBalancer.name.duplicate'],
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
});

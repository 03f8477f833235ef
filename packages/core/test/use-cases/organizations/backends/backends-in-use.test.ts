import {
  type BackendUser,
  backendInUse,
  type InvalidInput,
  type JsonObject,
  type LoadBalancer,
  type OriginServer,
  type ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, type Result } from 'neverthrow';
import { deleteLoadBalancer, deleteOriginServer } from '../../../../src/organizations/backends/delete-backend.ts';
import { updateLoadBalancer } from '../../../../src/organizations/backends/write-load-balancer.ts';
import { updateOriginServer } from '../../../../src/organizations/backends/write-origin-server.ts';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { updateRule } from '../../../../src/zones/rules/update-rule.ts';
import { createZone } from '../../../../src/zones/zone-changes/create-zone.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aBalancer, aServer, over } from '../../../support/backends.ts';
import { aMember, anOrganization } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, aRuleDraft, configurationRulesOf } from '../../../support/rules.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { aZone, aZoneDraft } from '../../../support/zones.ts';

const toServer = ({ id }: OriginServer) => ({ defaultBackend: { type: 'origin_server', id } });
const toBalancer = ({ id }: LoadBalancer) => ({ defaultBackend: { type: 'load_balancer', id } });

/** An origin server called `origin.example.net`, and a load balancer over it and another one. */
const aWorldWithBackends = async () => {
  const world = aWorld({}, { own: undefined, verification: 'off' });
  const organization = anOrganization(world);
  const owner = aMember(world, organization, 'owner');
  const server = await aServer(world, owner, organization, 'origin');
  const spare = await aServer(world, owner, organization, 'spare');
  const balancer = await aBalancer(world, owner, organization, 'Both', [over(server), over(spare, { enabled: false })]);
  const patchServer = (body: JsonObject) => updateOriginServer(world)(owner, organization, server.id, body, undefined);
  const patchBalancer = (body: object) =>
    updateLoadBalancer(world)(owner, organization, balancer.id, body as JsonObject, undefined);
  return { world, organization, owner, server, spare, balancer, patchServer, patchBalancer };
};
type Arranged = Awaited<ReturnType<typeof aWorldWithBackends>>;

describe('a zone and its rules', () => {
  /** Four ways in which a zone called `name` can start to use the backend. */
  const ways: readonly (readonly [
    what: string,
    path: string,
    use: (arranged: Arranged, name: string, settings: object) => PromiseLike<readonly string[]>,
  ])[] = [
    [
      'a new zone',
      'zone_settings.defaultBackend',
      ({ world, owner }, name, zone_settings) =>
        refusalOf(createZone(world)(owner, aZoneDraft({ name, zone_settings }))),
    ],
    [
      'a new rule',
      'settingsOverrides.defaultBackend',
      async ({ world, owner }, name, settingsOverrides) => {
        const { id } = await aZone(world, owner, { name });
        return refusalOf(
          createRule(world)(owner, configurationRulesOf({ id }), aRuleDraft('a', { settingsOverrides })),
        );
      },
    ],
    [
      'a changed rule',
      'settingsOverrides.defaultBackend',
      async ({ world, owner }, name, settingsOverrides) => {
        const { id } = await aZone(world, owner, { name });
        const rule = await aRule(world, owner, id, 'a');
        return refusalOf(
          updateRule(world)(
            owner,
            configurationRulesOf({ id }),
            rule.id,
            { settingsOverrides } as JsonObject,
            undefined,
          ),
        );
      },
    ],
  ];

  for (const [what, path, use] of ways) {
    describe(what, () => {
      it('may use an origin server, and a load balancer with an enabled origin', async () => {
        const arranged = await aWorldWithBackends();
        expect(await use(arranged, 'one.example.com', toServer(arranged.server))).to.deep.equal(['accepted']);
        expect(await use(arranged, 'two.example.com', toBalancer(arranged.balancer))).to.deep.equal(['accepted']);
      });

      it('may not use a load balancer without an enabled origin', async () => {
        const arranged = await aWorldWithBackends();
        const { world, owner, organization, server } = arranged;
        const idle = await aBalancer(world, owner, organization, 'Idle', [over(server, { enabled: false })]);
        expect(await use(arranged, 'shop.example.com', toBalancer(idle))).to.deep.equal([
          `${path} backend.noEnabledOrigin`,
        ]);
      });

      it('may not use a backend with the address of the zone, in any case, directly or not', async () => {
        for (const [name, settings] of [
          ['Origin.EXAMPLE.net', ({ server }: Arranged) => toServer(server)],
          ['origin.example.net', ({ balancer }: Arranged) => toBalancer(balancer)],
          ['spare.example.net', ({ balancer }: Arranged) => toBalancer(balancer)],
        ] as const) {
          const arranged = await aWorldWithBackends();
          expect(await use(arranged, name, settings(arranged))).to.deep.equal([`${path} backend.loop`]);
        }
      });

      it('reports both at once', async () => {
        const arranged = await aWorldWithBackends();
        const { world, owner, organization, server } = arranged;
        const idle = await aBalancer(world, owner, organization, 'Idle', [over(server, { enabled: false })]);
        expect(await use(arranged, 'origin.example.net', toBalancer(idle))).to.deep.equal([
          `${path} backend.noEnabledOrigin`,
          `${path} backend.loop`,
        ]);
      });

      it('may use one whose address only resembles the zone’s name', async () => {
        const arranged = await aWorldWithBackends();
        expect(await use(arranged, 'www.origin.example.net', toServer(arranged.server))).to.deep.equal(['accepted']);
      });
    });
  }
});

/** `path code: message` of every violation. */
const complaintsOf = async <T, E extends { readonly type: string }>(outcome: PromiseLike<Result<T, E>>) =>
  (await outcome).match(
    () => [],
    (error) =>
      (error as unknown as InvalidInput).violations.map(
        ({ propertyPath, code, message }) => `${propertyPath} ${code}: ${message}`,
      ),
  );

/** A zone, and two rules of another zone, that use the backend. */
async function someUsers({ world, owner }: Arranged, settings: object): Promise<readonly BackendUser[]> {
  const zone = await aZone(world, owner, { name: 'shop.example.com', zone_settings: settings });
  const other = await aZone(world, owner, { name: 'blog.example.com' });
  const rules = [];
  for (const name of ['b', 'A'])
    rules.unshift(await aRule(world, owner, other.id, name, { settingsOverrides: settings }));
  return [
    { kind: 'zone', name: zone.name, zone: zone.id },
    ...rules.map(({ id, content }) => ({
      kind: 'configurationRule' as const,
      name: content.value.name,
      zone: other.id,
      rule: id,
    })),
  ];
}

describe('deleting a backend', () => {
  it('is refused with its users, for an origin server', async () => {
    const arranged = await aWorldWithBackends();
    const { world, owner, organization, server, balancer } = arranged;
    const users = await someUsers(arranged, toServer(server));
    const before = everythingIn(world);
    const outcome = await deleteOriginServer(world)(owner, organization, server.id, undefined);
    const through = { kind: 'loadBalancer' as const, name: 'Both', organization, loadBalancer: balancer.id };
    expect(outcome).to.deep.equal(err(backendInUse([...users, through])));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('is refused with its users, for a load balancer', async () => {
    const arranged = await aWorldWithBackends();
    const { world, owner, organization, balancer } = arranged;
    const users = await someUsers(arranged, toBalancer(balancer));
    const outcome = await deleteLoadBalancer(world)(owner, organization, balancer.id, undefined);
    expect(outcome).to.deep.equal(err(backendInUse(users)));
  });

  it('succeeds once nothing uses it any more', async () => {
    const arranged = await aWorldWithBackends();
    const { world, owner, organization, balancer } = arranged;
    const zone = await aZone(world, owner);
    const rule = await aRule(world, owner, zone.id, 'a', { settingsOverrides: toBalancer(balancer) });
    const kept = await aRule(world, owner, zone.id, 'b', { settingsOverrides: toBalancer(balancer) });
    const remove = () => refusalOf(deleteLoadBalancer(world)(owner, organization, balancer.id, undefined));
    expect(await remove()).to.deep.equal(['BackendInUse']);
    await valueOf(deleteRule(world)(owner, configurationRulesOf(zone), rule.id, undefined));
    expect(await remove()).to.deep.equal(['BackendInUse']);
    const without = { settingsOverrides: { defaultBackend: null } };
    await valueOf(updateRule(world)(owner, configurationRulesOf(zone), kept.id, without, undefined));
    expect(await remove()).to.deep.equal(['accepted']);
  });
});

describe('a zone with host names', () => {
  const patchZone = ({ world, owner }: Arranged, { id }: { readonly id: ZoneId }, body: JsonObject) =>
    refusalOf(updateZone(world)(owner, id, body, undefined));

  it('may not use a backend whose address is one of them, or one that a wildcard answers for', async () => {
    for (const [hostnames, refusal] of [
      [['origin.example.net'], 'zone_settings.defaultBackend backend.loop'],
      [['*.example.net'], 'zone_settings.defaultBackend backend.loop'],
      [['example.net', '*.origin.example.net'], 'accepted'],
    ] as const) {
      const creating = await aWorldWithBackends();
      const draft = aZoneDraft({ hostnames, zone_settings: toServer(creating.server) });
      expect(await refusalOf(createZone(creating.world)(creating.owner, draft)), 'new').to.deep.equal([refusal]);
      const changing = await aWorldWithBackends();
      const zone = await aZone(changing.world, changing.owner, { zone_settings: toServer(changing.server) });
      expect(await patchZone(changing, zone, { hostnames }), 'changed').to.deep.equal([refusal]);
    }
  });

  it('may not get one that is the address of a backend of its rules, nor may they get such a backend', async () => {
    const arranged = await aWorldWithBackends();
    const { world, owner, balancer } = arranged;
    const zone = await aZone(world, owner);
    const settingsOverrides = toBalancer(balancer);
    const rule = await aRule(world, owner, zone.id, 'Media', { settingsOverrides });
    const hostnames = ['spare.example.net'];
    expect(await patchZone(arranged, zone, { hostnames })).to.deep.equal(['hostnames backend.loop']);
    await valueOf(deleteRule(world)(owner, configurationRulesOf(zone), rule.id, undefined));
    expect(await patchZone(arranged, zone, { hostnames })).to.deep.equal(['accepted']);
    const draft = aRuleDraft('a', { settingsOverrides });
    expect(await refusalOf(createRule(world)(owner, configurationRulesOf(zone), draft))).to.deep.equal([
      'settingsOverrides.defaultBackend backend.loop',
    ]);
  });
});

describe('changing a backend that is in use', () => {
  it('refuses an address that is a host name of a zone that uses it, or that a wildcard answers for', async () => {
    for (const hostnames of [['www.example.com'], ['*.example.com']]) {
      const { world, owner, server, patchServer } = await aWorldWithBackends();
      await aZone(world, owner, { hostnames, zone_settings: toServer(server) });
      expect(await refusalOf(patchServer({ address: 'WWW.example.com' }))).to.deep.equal(['address backend.inUse']);
    }
  });

  it('refuses the address of a zone that uses the origin server, and names the zone', async () => {
    const { world, owner, server, patchServer } = await aWorldWithBackends();
    await aZone(world, owner, { name: 'Shop.example.com', zone_settings: toServer(server) });
    expect(await complaintsOf(patchServer({ address: 'shop.EXAMPLE.com' }))).to.deep.equal([
      'address backend.inUse: With this address, requests that the zone answers would loop. It is used by zone "Shop.example.com".',
    ]);
  });

  it('refuses it even if only a rule of the zone uses it, or uses it through a load balancer', async () => {
    for (const through of ['server', 'balancer'] as const) {
      const { world, owner, server, balancer, patchServer } = await aWorldWithBackends();
      const zone = await aZone(world, owner, { name: 'shop.example.com' });
      const settingsOverrides = through === 'server' ? toServer(server) : toBalancer(balancer);
      await aRule(world, owner, zone.id, 'Media', { settingsOverrides });
      const [complaint] = await complaintsOf(patchServer({ address: 'shop.example.com' }));
      expect(complaint).to.match(/^address backend\.inUse: .* rule "Media"\.$/);
    }
  });

  it('accepts the address of a zone that does not use it, and any change that keeps the address', async () => {
    const { world, owner, server, patchServer } = await aWorldWithBackends();
    await aZone(world, owner, { name: 'shop.example.com', zone_settings: toServer(server) });
    await aZone(world, owner, { name: 'blog.example.com' });
    expect(await refusalOf(patchServer({ address: 'blog.example.com' }))).to.deep.equal(['accepted']);
    expect(await refusalOf(patchServer({ port: 444, name: 'shop.example.com' }))).to.deep.equal(['accepted']);
  });

  it('reports all violations of a change at once', async () => {
    const { world, owner, organization, server, patchServer } = await aWorldWithBackends();
    await aZone(world, owner, { name: 'shop.example.com', zone_settings: toServer(server) });
    await aServer(world, owner, organization, 'Other', { address: 'shop.example.com' });
    expect(await refusalOf(patchServer({ name: 'OTHER', address: 'shop.example.com' }))).to.deep.equal([
      'name originServer.name.duplicate',
      'address originServer.address.duplicate',
      'address backend.inUse',
    ]);
  });

  it('refuses to disable all origins of a load balancer, and names its users', async () => {
    const { world, owner, server, balancer, patchBalancer } = await aWorldWithBackends();
    await aZone(world, owner, { name: 'shop.example.com', zone_settings: toBalancer(balancer) });
    expect(await complaintsOf(patchBalancer({ origins: [over(server, { enabled: false })] }))).to.deep.equal([
      'origins backend.inUse: A load balancer in use needs an enabled origin. It is used by zone "shop.example.com".',
    ]);
  });

  it('names at most five users', async () => {
    const { world, owner, server, balancer, patchBalancer } = await aWorldWithBackends();
    const { id } = await aZone(world, owner);
    for (const name of ['1', '2', '3', '4', '5', '6'])
      await aRule(world, owner, id, name, { settingsOverrides: toBalancer(balancer) });
    const [complaint] = await complaintsOf(patchBalancer({ origins: [over(server, { enabled: false })] }));
    expect(complaint).to.match(/ rule "1", rule "2", rule "3", rule "4", rule "5", others\.$/);
  });

  it('refuses an origin with the address of a zone that uses the load balancer, enabled or not', async () => {
    const arranged = await aWorldWithBackends();
    const { world, owner, organization, server, balancer, patchBalancer } = arranged;
    const looping = await aServer(world, owner, organization, 'loop', { address: 'Shop.example.com' });
    const zone = await aZone(world, owner, { name: 'shop.example.com' });
    await aRule(world, owner, zone.id, 'Media', { settingsOverrides: toBalancer(balancer) });
    for (const enabled of [true, false]) {
      const origins = [over(server), over(looping, { enabled })];
      expect(await refusalOf(patchBalancer({ origins }))).to.deep.equal(['origins backend.inUse']);
    }
  });

  it('accepts both while nothing uses the load balancer', async () => {
    const { world, owner, server, spare, patchBalancer } = await aWorldWithBackends();
    await aZone(world, owner, { name: 'origin.example.net', zone_settings: toServer(spare) });
    const origins = [over(server, { enabled: false })];
    expect(await refusalOf(patchBalancer({ origins }))).to.deep.equal(['accepted']);
  });

  it('accepts other origins without conflicts', async () => {
    const { world, owner, spare, balancer, patchBalancer } = await aWorldWithBackends();
    await aZone(world, owner, { name: 'origin.example.com', zone_settings: toBalancer(balancer) });
    expect(await refusalOf(patchBalancer({ origins: [over(spare)] }))).to.deep.equal(['accepted']);
  });
});

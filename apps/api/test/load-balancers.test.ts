import { expect } from 'chai';
import {
  aLoadBalancer,
  anOriginServer,
  aRule,
  aVerifiedUser,
  aZone,
  type LoadBalancerBody,
  loadBalancersOf,
  type OriginServerBody,
  originServersOf,
  type User,
  unique,
} from './support/arrange.ts';
import { type Client, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const linked = { accept: 'application/ld+json' };

describe('Load balancers', () => {
  let service: MemoryService;
  let owner: User;
  let stranger: User;
  let first: OriginServerBody;
  let second: OriginServerBody;
  let foreign: OriginServerBody;

  before(async () => {
    service = await openMemoryService();
    stranger = await aVerifiedUser(service);
    foreign = await anOriginServer(stranger);
  });
  beforeEach(async () => {
    owner = await aVerifiedUser(service);
    [first, second] = [await anOriginServer(owner), await anOriginServer(owner)];
  });
  after(() => service.close());

  const collection = () => loadBalancersOf(owner);
  const addressOf = ({ id }: { readonly id: string }) => `${collection()}/${id}`;
  const iriOf = ({ id }: { readonly id: string }, user: Pick<User, 'organization'> = owner) =>
    `${originServersOf(user)}/${id}`;
  const create = (members: object = {}, user: Client = owner) =>
    user.post(collection(), { name: `balancer ${unique()}`, origins: [{ originServer: first.id }], ...members });
  const aBalancer = (members: object = {}) =>
    aLoadBalancer(owner, { origins: [{ originServer: first.id }], ...members });
  const read = async (balancer: { readonly id: string }) =>
    (await owner.get(addressOf(balancer))).json() as LoadBalancerBody;
  const tagOf = async (balancer: { readonly id: string }, headers = {}) =>
    (await owner.get(addressOf(balancer), headers)).headers.get('etag') ?? '';

  describe('POST /api/organizations/{id}/load-balancers', () => {
    it('answers 201 with the load balancer including defaults, and origins as IRIs', async () => {
      const reply = await owner.post(collection(), { name: ' Main ', origins: [{ originServer: first.id }] });
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { id, createdAt, updatedAt, ...rest } = reply.json() as LoadBalancerBody;
      expect(rest).to.deep.equal({
        organization: `/api/organizations/${owner.organization}`,
        name: 'Main',
        method: 'random',
        origins: [{ originServer: iriOf(first), weight: 1, enabled: true }],
      });
      expect(id).to.match(uuid);
      expect(createdAt).to.equal(updatedAt);
      expect(reply.headers.get('location')).to.equal(`${collection()}/${id}`);
      expect(await read({ id })).to.deep.equal(reply.json());
    });

    it('answers 201 to IRIs and bare ids, and keeps the order of origins', async () => {
      const origins = [
        { originServer: iriOf(second), weight: 1000, enabled: false },
        { originServer: first.id.toUpperCase(), weight: 3 },
      ];
      const body = (await create({ method: 'least_connections', requestHostname: 'www.example.com', origins })).json();
      expect(body).to.deep.include({
        method: 'least_connections',
        requestHostname: 'www.example.com',
        origins: [
          { originServer: iriOf(second), weight: 1000, enabled: false },
          { originServer: iriOf(first), weight: 3, enabled: true },
        ],
      });
    });

    it('answers 201 as linked data, to linked data, and to what GET returned', async () => {
      const document = (await owner.get(addressOf(await aBalancer()), linked)).json() as object;
      const headers = { ...linked, 'content-type': 'application/ld+json' };
      const reply = await owner.post(collection(), { ...document, name: 'Copy' }, headers);
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.include({ '@type': 'LoadBalancer', '@context': '/api/contexts/LoadBalancer' });
    });

    const id = (last: number) => `0197c4e3-6f2a-7b3c-9d1e-${String(last).padStart(12, '0')}`;
    const refused: readonly (readonly [what: string, members: object, ...violations: string[]])[] = [
      ['an unknown member of an origin', { origins: [{ originServer: id(1), x: 1 }] }, 'origins[0].x: member.unknown'],
      ['an unknown member', { health: {} }, 'health: member.unknown'],
      [
        'several errors at once',
        { name: '', method: 'x', requestHostname: '*', origins: [{ originServer: id(1), weight: 0, enabled: 1 }] },
        'name: text.tooShort',
        'method: value.choice',
        'requestHostname: backend.hostname.syntax',
        'origins[0].weight: number.range',
        'origins[0].enabled: member.type',
      ],
    ];
    for (const [what, members, ...violations] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectProblem(await create(members), 422, 'validation-failed', violations);
      });
    }

    it('answers 422 to an IRI in another organization, even of an origin server in this one', async () => {
      for (const originServer of [iriOf(foreign, stranger), iriOf(first, stranger), `${collection()}/${first.id}`]) {
        expectProblem(await create({ origins: [{ originServer }] }), 422, 'validation-failed', [
          'origins[0].originServer: loadBalancer.origin.unknown',
        ]);
      }
    });
  });

  describe('GET /api/organizations/{id}/load-balancers', () => {
    it('answers 200 as linked data, where origins have no keys of their own', async () => {
      const balancer = await aBalancer();
      const { member, ...rest } = (await owner.get(collection(), linked)).json() as { readonly member: object[] };
      expect(rest).to.deep.include({ '@type': 'Collection', '@id': collection(), totalItems: 1 });
      expect(member).to.deep.equal([{ '@id': addressOf(balancer), '@type': 'LoadBalancer', ...balancer }]);
    });
  });

  describe('GET /api/organizations/{id}/load-balancers/{loadBalancer}', () => {
    it('answers 403 in other organizations, 404 if it does not exist, is elsewhere, or has an invalid id', async () => {
      const balancer = await aBalancer();
      expectProblem(await stranger.get(addressOf(balancer)), 403, 'forbidden');
      const elsewhere = await aLoadBalancer(stranger);
      for (const id of [missingId, elsewhere.id, first.id, 'x']) {
        expectProblem(await owner.get(addressOf({ id })), 404, 'not-found');
      }
    });
  });

  describe('PATCH /api/organizations/{id}/load-balancers/{loadBalancer}', () => {
    const patch = (balancer: { readonly id: string }, body: unknown, headers = {}) =>
      owner.patch(addressOf(balancer), body, headers);

    it('answers 200 with the changed load balancer; a list of origins is replaced completely', async () => {
      const balancer = await aBalancer({ origins: [{ originServer: first.id, weight: 7 }] });
      const origins = [{ originServer: iriOf(second), weight: 2 }, { originServer: iriOf(first) }];
      const reply = await patch(balancer, { name: 'Renamed', method: 'ip_hash', origins });
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.deep.include({
        id: balancer.id,
        name: 'Renamed',
        method: 'ip_hash',
        origins: [
          { originServer: iriOf(second), weight: 2, enabled: true },
          { originServer: iriOf(first), weight: 1, enabled: true },
        ],
      });
      expect(await read(balancer)).to.deep.equal(reply.json());
      const renamed = (await patch(balancer, { name: 'Again' })).json() as LoadBalancerBody;
      expect(renamed.origins).to.deep.equal((reply.json() as LoadBalancerBody).origins);
    });

    it('answers 200 to a no-op, with the same timestamp and entity tag', async () => {
      const balancer = await aBalancer();
      const tag = await tagOf(balancer);
      const document = (await owner.get(addressOf(balancer), linked)).json();
      for (const body of [{}, document, { method: null }, { origins: [{ originServer: first.id }] }]) {
        const reply = await patch(balancer, body);
        expect([reply.status, reply.headers.get('etag')]).to.deep.equal([200, tag]);
        expect(reply.json()).to.deep.equal(balancer);
      }
    });

    const refused: readonly (readonly [what: string, body: object, violation: string])[] = [
      ['an unknown member', { plan: 'x' }, 'plan: member.unknown'],
      [
        'an unknown origin',
        { origins: [{ originServer: missingId }] },
        'origins[0].originServer: loadBalancer.origin.unknown',
      ],
    ];
    for (const [what, body, violation] of refused) {
      it(`answers 422 to ${what}`, async () => {
        await aBalancer({ name: 'Taken' });
        const balancer = await aBalancer();
        expectProblem(await patch(balancer, body), 422, 'validation-failed', [violation]);
        expect(await read(balancer)).to.deep.equal(balancer);
      });
    }

    it('answers 422 to an origin of another organization, by id and IRI', async () => {
      const balancer = await aBalancer();
      for (const originServer of [foreign.id, iriOf(foreign, stranger)]) {
        const reply = await patch(balancer, { origins: [{ originServer: first.id }, { originServer }] });
        expectProblem(reply, 422, 'validation-failed', ['origins[1].originServer: loadBalancer.origin.unknown']);
      }
    });

    it('answers 404 and 403 before checking the body', async () => {
      const balancer = await aBalancer();
      expectProblem(await stranger.patch(addressOf(balancer), { organization: 0 }), 403, 'forbidden');
      expectProblem(await patch({ id: missingId }, { organization: 0 }), 404, 'not-found');
    });
  });

  describe('DELETE /api/organizations/{id}/load-balancers/{loadBalancer}', () => {
    it('answers 204, then 404; its origin servers remain and can now be deleted', async () => {
      const balancer = await aBalancer();
      expectProblem(await owner.delete(iriOf(first)), 409, 'backend-in-use');
      expect((await owner.delete(addressOf(balancer))).status).to.equal(204);
      expectProblem(await owner.delete(addressOf(balancer)), 404, 'not-found');
      expect((await owner.delete(iriOf(first))).status).to.equal(204);
    });

    it('answers 409 with its users: zones and rules', async () => {
      const balancer = await aBalancer();
      const defaultBackend = { type: 'load_balancer', id: balancer.id };
      const zone = await aZone(owner, { zone_settings: { defaultBackend } });
      const rule = await aRule(owner, zone, { settingsOverrides: { defaultBackend } });
      const reply = await owner.delete(addressOf(balancer));
      expectProblem(reply, 409, 'backend-in-use');
      expect(reply.json()).to.have.deep.property('usedBy', [
        `/api/zones/${zone.id}`,
        `/api/zones/${zone.id}/configuration-rules/${rule.id}`,
      ]);
      expect(await read(balancer)).to.deep.equal(balancer);
    });

    it('answers 412 when it has changed', async () => {
      const balancer = await aBalancer();
      const tag = await tagOf(balancer, linked);
      await owner.patch(addressOf(balancer), { method: 'ip_hash' });
      expectProblem(await owner.delete(addressOf(balancer), { 'if-match': tag }), 412, 'precondition-failed');
      expect((await owner.delete(addressOf(balancer), { 'if-match': await tagOf(balancer) })).status).to.equal(204);
    });
  });
});

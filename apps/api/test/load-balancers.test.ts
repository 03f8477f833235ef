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
import { expectProblem } from './support/client.ts';
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

  before(async () => {
    service = await openMemoryService();
    [owner, stranger] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    [first, second] = [await anOriginServer(owner), await anOriginServer(owner)];
  });
  after(() => service.close());

  const collection = () => loadBalancersOf(owner);
  const addressOf = ({ id }: { readonly id: string }) => `${collection()}/${id}`;
  const iriOf = ({ id }: { readonly id: string }, user: Pick<User, 'organization'> = owner) =>
    `${originServersOf(user)}/${id}`;
  const create = (members: object = {}) =>
    owner.post(collection(), { name: `balancer ${unique()}`, origins: [{ originServer: first.id }], ...members });
  const aBalancer = () => aLoadBalancer(owner, { origins: [{ originServer: first.id }] });
  const read = async (balancer: { readonly id: string }) =>
    (await owner.get(addressOf(balancer))).json() as LoadBalancerBody;

  it('POST /api/organizations/{id}/load-balancers returns 201 with defaults, and origins as IRIs', async () => {
    const reply = await owner.post(collection(), {
      name: ' Main ',
      origins: [{ originServer: first.id.toUpperCase() }],
    });
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
    expect(reply.headers.get('location')).to.equal(addressOf({ id }));
    expect(await read({ id })).to.deep.equal(reply.json());
  });

  it('POST /api/organizations/{id}/load-balancers returns 422 with all violations at once', async () => {
    const origin = { originServer: missingId, weight: 0, enabled: 1, x: 1 };
    const reply = await create({ name: '', method: 'x', requestHostname: '*', origins: [origin], health: {} });
    expectProblem(reply, 422, 'validation-failed', [
      'name: text.tooShort',
      'method: value.choice',
      'requestHostname: backend.hostname.syntax',
      'origins[0].weight: number.range',
      'origins[0].enabled: member.type',
      'origins[0].x: member.unknown',
      'health: member.unknown',
    ]);
  });

  it('POST and PATCH return 422 for an IRI in another organization, even of an origin server in this one', async () => {
    const foreign = await anOriginServer(stranger);
    const balancer = await aBalancer();
    for (const originServer of [iriOf(foreign, stranger), iriOf(first, stranger), `${collection()}/${first.id}`]) {
      const origins = [{ originServer }];
      for (const reply of [await create({ origins }), await owner.patch(addressOf(balancer), { origins })]) {
        expectProblem(reply, 422, 'validation-failed', ['origins[0].originServer: loadBalancer.origin.unknown']);
      }
    }
  });

  it('GET /api/organizations/{id}/load-balancers returns 200 as linked data, where origins have no keys of their own', async () => {
    const balancer = await aLoadBalancer(stranger);
    const path = loadBalancersOf(stranger);
    const { member, ...rest } = (await stranger.get(path, linked)).json() as { readonly member: object[] };
    expect(rest).to.deep.include({ '@type': 'Collection', '@id': path, totalItems: 1 });
    expect(member).to.deep.equal([{ '@id': `${path}/${balancer.id}`, '@type': 'LoadBalancer', ...balancer }]);
    for (const id of [missingId, balancer.id, first.id, 'x']) {
      expectProblem(await owner.get(addressOf({ id })), 404, 'not-found');
    }
  });

  it('PATCH /api/organizations/{id}/load-balancers/{loadBalancer} returns 200, for what GET returned, too', async () => {
    const balancer = await aBalancer();
    const origins = [{ originServer: iriOf(second), weight: 1000, enabled: false }, { originServer: iriOf(first) }];
    const document = (await owner.get(addressOf(balancer), linked)).json() as object;
    expect((await owner.patch(addressOf(balancer), document)).json()).to.deep.equal(balancer);
    const members = { name: 'Renamed', method: 'least_connections', requestHostname: 'www.example.com' };
    const reply = await owner.patch(addressOf(balancer), { ...document, ...members, origins });
    expect(reply.status).to.equal(200);
    const { updatedAt } = reply.json() as LoadBalancerBody;
    expect(reply.json()).to.deep.equal({
      ...balancer,
      ...members,
      updatedAt,
      origins: [origins[0], { originServer: iriOf(first), weight: 1, enabled: true }],
    });
    expect(await read(balancer)).to.deep.equal(reply.json());
  });

  it('PATCH /api/organizations/{id}/load-balancers/{loadBalancer} returns 404 and 403 before checking the body', async () => {
    const balancer = await aBalancer();
    expectProblem(await stranger.patch(addressOf(balancer), { organization: 0 }), 403, 'forbidden');
    expectProblem(await owner.patch(addressOf({ id: missingId }), { organization: 0 }), 404, 'not-found');
  });

  it('DELETE /api/organizations/{id}/load-balancers/{loadBalancer} returns 204, then 404', async () => {
    const balancer = await aBalancer();
    expect((await owner.delete(addressOf(balancer))).status).to.equal(204);
    expectProblem(await owner.delete(addressOf(balancer)), 404, 'not-found');
  });

  it('DELETE /api/organizations/{id}/load-balancers/{loadBalancer} returns 409 with its users', async () => {
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
  });
});

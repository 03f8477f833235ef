import { expect } from 'chai';
import {
  aLoadBalancer,
  anOriginServer,
  aVerifiedUser,
  aZone,
  type OriginServerBody,
  originServerMembers,
  originServersOf,
  type User,
} from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const linked = { accept: 'application/ld+json' };

describe('Origin servers', () => {
  let service: MemoryService;
  let owner: User;

  before(async () => {
    service = await openMemoryService();
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  const collection = () => originServersOf(owner);
  const addressOf = ({ id }: { readonly id: string }) => `${collection()}/${id}`;
  const read = async (server: { readonly id: string }) =>
    (await owner.get(addressOf(server))).json() as OriginServerBody;
  const tagOf = async (server: { readonly id: string }) => (await owner.get(addressOf(server))).headers.get('etag');

  it("POST /api/organizations/{id}/origin-servers returns 201 with the origin server and its protocol's default port", async () => {
    const members = { name: ' Main ', protocol: 'https', address: 'Origin.example.net.' };
    const reply = await owner.post(collection(), members);
    expect(reply.status).to.equal(201);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const { id, createdAt, updatedAt, ...rest } = reply.json() as OriginServerBody;
    expect(rest).to.deep.equal({
      organization: `/api/organizations/${owner.organization}`,
      name: 'Main',
      protocol: 'https',
      address: 'Origin.example.net',
      port: 443,
    });
    expect(id).to.match(uuid);
    for (const time of [createdAt, updatedAt]) expect(time).to.match(timestamp);
    expect(reply.headers.get('location')).to.equal(addressOf({ id }));
    expect(reply.headers.get('etag')).to.equal(await tagOf({ id }));
    expect(await read({ id })).to.deep.equal(reply.json());
  });

  it('POST and PATCH return 422 with all violations at once', async () => {
    const wrong = { name: '', protocol: 'ftp', address: '10.0.0.1', port: 0, requestHostname: '*', more: 1 };
    const server = await anOriginServer(owner);
    for (const reply of [await owner.post(collection(), wrong), await owner.patch(addressOf(server), wrong)]) {
      expectProblem(reply, 422, 'validation-failed', [
        'name: text.tooShort',
        'protocol: value.choice',
        'address: backend.address.forbidden',
        'port: number.range',
        'requestHostname: backend.hostname.syntax',
        'more: member.unknown',
      ]);
    }
    const elsewhere = { ...originServerMembers(), organization: 999_999 };
    for (const reply of [await owner.post(collection(), elsewhere), await owner.patch(addressOf(server), elsewhere)]) {
      expectProblem(reply, 422, 'validation-failed', ['organization: organization.change']);
    }
  });

  it('GET /api/organizations/{id}/origin-servers returns 200 as linked data with the collection and its view', async () => {
    const user = await aVerifiedUser(service);
    const server = await anOriginServer(user);
    const path = originServersOf(user);
    const { member, ...rest } = (await user.get(`${path}?itemsPerPage=1`, linked)).json() as { member: object[] };
    expect(rest).to.deep.include({
      '@context': '/api/contexts/OriginServer',
      '@id': path,
      '@type': 'Collection',
      totalItems: 1,
    });
    expect(member).to.deep.equal([{ '@id': `${path}/${server.id}`, '@type': 'OriginServer', ...server }]);
  });

  it('GET /api/organizations/{id}/origin-servers/{originServer} returns 404 for one that is elsewhere, and invalid ids', async () => {
    const foreign = await anOriginServer(await aVerifiedUser(service));
    const balancer = await aLoadBalancer(owner);
    for (const id of [missingId, foreign.id, balancer.id, 'x', '1']) {
      expectProblem(await owner.get(addressOf({ id })), 404, 'not-found');
    }
  });

  it('PATCH /api/organizations/{id}/origin-servers/{originServer} returns 200, for what GET returned, too', async () => {
    const server = await anOriginServer(owner);
    const tag = await tagOf(server);
    const document = (await owner.get(addressOf(server), linked)).json() as object;
    const same = await owner.patch(addressOf(server), document);
    expect([same.status, same.headers.get('etag')]).to.deep.equal([200, tag]);
    expect(same.json()).to.deep.equal(server);
    const members = { name: 'Renamed', protocol: 'http', port: 8080, requestHostname: 'www.example.com' };
    const reply = await owner.patch(addressOf(server), { ...document, ...members });
    expect(reply.status).to.equal(200);
    const { updatedAt } = reply.json() as OriginServerBody;
    expect(reply.json()).to.deep.equal({ ...server, ...members, updatedAt });
    expect(reply.headers.get('etag')).to.equal(await tagOf(server));
    expect(await read(server)).to.deep.equal(reply.json());
  });

  it('DELETE /api/organizations/{id}/origin-servers/{originServer} returns 204, then 404', async () => {
    const server = await anOriginServer(owner);
    const reply = await owner.delete(addressOf(server));
    expect([reply.status, reply.text]).to.deep.equal([204, '']);
    expectProblem(await owner.delete(addressOf(server)), 404, 'not-found');
  });

  it('DELETE /api/organizations/{id}/origin-servers/{originServer} returns 409 with its users', async () => {
    const server = await anOriginServer(owner);
    const defaultBackend = { type: 'origin', id: server.id.toUpperCase() };
    const zone = await aZone(owner, { zone_settings: { defaultBackend } });
    const balancer = await aLoadBalancer(owner, { origins: [{ originServer: server.id, enabled: false }] });
    const reply = await owner.delete(addressOf(server));
    expectProblem(reply, 409, 'backend-in-use');
    expect(reply.json()).to.have.deep.property('usedBy', [
      `/api/zones/${zone.id}`,
      `/api/organizations/${owner.organization}/load-balancers/${balancer.id}`,
    ]);
  });
});

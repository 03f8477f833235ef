import { expect } from 'chai';
import {
  aLoadBalancer,
  anOriginServer,
  aRule,
  aVerifiedUser,
  aZone,
  type OriginServerBody,
  originServerMembers,
  originServersOf,
  type User,
} from './support/arrange.ts';
import { type Client, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const linked = { accept: 'application/ld+json' };

describe('Origin servers', () => {
  let service: MemoryService;
  let owner: User;
  let stranger: User;

  before(async () => {
    service = await openMemoryService();
    stranger = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  const collection = () => originServersOf(owner);
  const addressOf = ({ id }: { readonly id: string }) => `${collection()}/${id}`;
  const create = (members: object = {}, user: Client = owner) =>
    user.post(collection(), { ...originServerMembers(), ...members });
  const read = async (server: { readonly id: string }) =>
    (await owner.get(addressOf(server))).json() as OriginServerBody;
  const tagOf = async (server: { readonly id: string }, headers = {}) =>
    (await owner.get(addressOf(server), headers)).headers.get('etag') ?? '';

  describe('POST /api/organizations/{id}/origin-servers', () => {
    it("answers 201 with the origin server and its protocol's default port", async () => {
      const reply = await owner.post(collection(), {
        name: ' Main ',
        protocol: 'https',
        address: 'Origin.example.net.',
      });
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
      expect([createdAt, updatedAt]).to.satisfy((all: string[]) => all.every((each) => timestamp.test(each)));
      expect(reply.headers.get('location')).to.equal(`${collection()}/${id}`);
      expect(reply.headers.get('etag')).to.equal(await tagOf({ id }));
      expect(await read({ id })).to.deep.equal(reply.json());
    });

    it('answers 201 as linked data, to linked data, and to what GET returned', async () => {
      const server = await anOriginServer(owner);
      const document = (await owner.get(addressOf(server), linked)).json() as object;
      const headers = { ...linked, 'content-type': 'application/ld+json' };
      const reply = await owner.post(collection(), { ...document, ...originServerMembers() }, headers);
      expect(reply.status, reply.text).to.equal(201);
      const body = reply.json() as OriginServerBody & Readonly<Record<string, unknown>>;
      expect(body).to.include({
        '@context': '/api/contexts/OriginServer',
        '@id': `${collection()}/${body.id}`,
        '@type': 'OriginServer',
      });
    });

    const refused: readonly (readonly [what: string, members: object, ...violations: string[]])[] = [
      ['another organization', { organization: '/api/organizations/1' }, 'organization: organization.change'],
      [
        'several errors at once',
        { name: '', protocol: 'ftp', address: '10.0.0.1', port: 0, requestHostname: '*', more: 1 },
        'more: member.unknown',
        'name: text.tooShort',
        'protocol: value.choice',
        'address: backend.address.forbidden',
        'port: number.range',
        'requestHostname: backend.hostname.syntax',
      ],
    ];
    for (const [what, members, ...violations] of refused) {
      it(`answers 422 to ${what}`, async () => {
        const reply = await create(members);
        expectProblem(reply, 422, 'validation-failed', reportedViolations(reply, violations));
      });
    }

    /** The violations in order of the response, if they are the expected ones. */
    const reportedViolations = (reply: { json(): unknown }, expected: readonly string[]): readonly string[] => {
      const { violations } = reply.json() as { violations: readonly { propertyPath: string; code: string }[] };
      const reported = violations.map(({ propertyPath, code }) => `${propertyPath}: ${code}`);
      expect(reported).to.have.members([...expected]);
      return reported;
    };
  });

  describe('GET /api/organizations/{id}/origin-servers', () => {
    it('answers 200 as linked data with the collection and its view', async () => {
      const server = await anOriginServer(owner);
      const reply = await owner.get(`${collection()}?itemsPerPage=1`, linked);
      const { member, ...rest } = reply.json() as { readonly member: readonly object[] };
      expect(rest).to.deep.include({
        '@context': '/api/contexts/OriginServer',
        '@id': collection(),
        '@type': 'Collection',
        totalItems: 1,
      });
      expect(member).to.deep.equal([{ '@id': addressOf(server), '@type': 'OriginServer', ...server }]);
    });
  });

  describe('GET /api/organizations/{id}/origin-servers/{originServer}', () => {
    it('answers 403 in other organizations, 404 if it does not exist, is elsewhere, or has an invalid id', async () => {
      const server = await anOriginServer(owner);
      expectProblem(await stranger.get(addressOf(server)), 403, 'forbidden');
      expectProblem(await stranger.get(addressOf({ id: missingId })), 403, 'forbidden');
      const foreign = await anOriginServer(stranger);
      const balancer = await aLoadBalancer(owner);
      for (const id of [missingId, foreign.id, balancer.id, 'x', '1']) {
        expectProblem(await owner.get(addressOf({ id })), 404, 'not-found');
      }
    });
  });

  describe('PATCH /api/organizations/{id}/origin-servers/{originServer}', () => {
    const patch = (server: { readonly id: string }, body: unknown, headers = {}) =>
      owner.patch(addressOf(server), body, headers);

    it('answers 200 with the changed origin server', async () => {
      const server = await anOriginServer(owner);
      const members = { name: 'Renamed', protocol: 'http', port: 8080, requestHostname: 'www.example.com' };
      const reply = await patch(server, members);
      expect(reply.status).to.equal(200);
      const { updatedAt, ...rest } = reply.json() as OriginServerBody;
      const { updatedAt: before, ...unchanged } = server;
      expect(rest).to.deep.equal({ ...unchanged, ...members });
      expect(updatedAt >= before).to.equal(true);
      expect(reply.headers.get('etag')).to.equal(await tagOf(server));
      expect(await read(server)).to.deep.equal(reply.json());
    });

    it('answers 200 to a no-op, with the same timestamp and entity tag', async () => {
      const server = await anOriginServer(owner);
      const tag = await tagOf(server);
      const document = (await owner.get(addressOf(server), linked)).json();
      for (const body of [{}, document, { name: server.name, port: null }]) {
        const reply = await patch(server, body);
        expect([reply.status, reply.headers.get('etag')]).to.deep.equal([200, tag]);
        expect(reply.json()).to.deep.equal(server);
      }
    });

    const refused: readonly (readonly [what: string, body: object, ...violations: string[]])[] = [
      ['an unknown member', { plan: 'x' }, 'plan: member.unknown'],
      ['another organization', { organization: 1 }, 'organization: organization.change'],
    ];
    for (const [what, body, ...violations] of refused) {
      it(`answers 422 to ${what}`, async () => {
        await anOriginServer(owner, { name: 'Taken', address: 'taken.example.net' });
        const server = await anOriginServer(owner);
        expectProblem(await patch(server, body), 422, 'validation-failed', violations);
        expect(await read(server)).to.deep.equal(server);
      });
    }
  });

  describe('DELETE /api/organizations/{id}/origin-servers/{originServer}', () => {
    it('answers 204, then 404; name and address can be reused', async () => {
      const server = await anOriginServer(owner);
      const reply = await owner.delete(addressOf(server));
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await owner.get(addressOf(server)), 404, 'not-found');
      expectProblem(await owner.delete(addressOf(server)), 404, 'not-found');
      expect((await create({ name: server.name, address: server.address })).status).to.equal(201);
    });

    it('answers 409 with its users: zones, rules, load balancers; without any effect', async () => {
      const server = await anOriginServer(owner);
      const defaultBackend = { type: 'origin', id: server.id.toUpperCase() };
      const zone = await aZone(owner, { zone_settings: { defaultBackend } });
      const rule = await aRule(owner, zone, { settingsOverrides: { defaultBackend } });
      const balancer = await aLoadBalancer(owner, { origins: [{ originServer: server.id, enabled: false }] });
      const reply = await owner.delete(addressOf(server));
      expectProblem(reply, 409, 'backend-in-use');
      expect(reply.json()).to.have.deep.property('usedBy', [
        `/api/zones/${zone.id}`,
        `/api/zones/${zone.id}/configuration-rules/${rule.id}`,
        `/api/organizations/${owner.organization}/load-balancers/${balancer.id}`,
      ]);
      expect(await read(server)).to.deep.equal(server);
    });
  });

  it('are deleted with their organization, and every change is in its audit log', async () => {
    const server = await anOriginServer(owner);
    const balancer = await aLoadBalancer(owner, { origins: [{ originServer: server.id }] });
    await owner.patch(addressOf(server), { port: 8443 });
    await owner.delete(`/api/organizations/${owner.organization}/load-balancers/${balancer.id}`);
    await owner.delete(addressOf(server));
    const log = (await owner.get(`/api/organizations/${owner.organization}/audit-log`)).json() as readonly {
      readonly action: string;
      readonly objects: object;
    }[];
    expect(log.map(({ action, objects }) => [action, objects])).to.deep.equal([
      ['originServer.deleted', { originServer: server.id, name: server.name }],
      ['loadBalancer.deleted', { loadBalancer: balancer.id, name: balancer.name }],
      ['originServer.changed', { originServer: server.id }],
      ['loadBalancer.created', { loadBalancer: balancer.id }],
      ['originServer.created', { originServer: server.id }],
    ]);
    await aLoadBalancer(owner);
    expect((await owner.delete(`/api/organizations/${owner.organization}`)).status).to.equal(204);
  });
});

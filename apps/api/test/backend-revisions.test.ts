import { postgresExpiry } from '@zonewright/postgres-operations';
import { expect } from 'chai';
import { aLoadBalancer, anOriginServer, aVerifiedUser, aZone, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { openService, type TestService } from './support/service.ts';

/** The part of a revision that the tests check. */
interface RevisionBody {
  readonly number: number;
  readonly action: string;
  readonly createdAt: string;
  readonly state: object;
}

describe('Revisions of backends', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const inOrganization = (rest: string) => `/api/organizations/${ada.organization}/${rest}`;
  const aServer = async (members: Readonly<Record<string, unknown>> = {}) =>
    inOrganization(`origin-servers/${(await anOriginServer(ada, members)).id}`);
  const change = async (path: string, patch: object) => {
    const { status, text } = await ada.patch(path, patch);
    expect(status, text).to.equal(200);
  };
  const actions = async (path: string) =>
    ((await ada.get(`${path}/revisions`)).json() as readonly RevisionBody[]).map(({ number, action }) => [
      number,
      action,
    ]);
  const revision = async (path: string, number: number) =>
    (await ada.get(`${path}/revisions/${number}`)).json() as RevisionBody;

  it('list every change, newest first, and nothing when nothing changed', async () => {
    const server = await aServer();
    await change(server, { port: 8443 });
    await change(server, { port: 8443 });
    await change(server, {});
    const reply = await ada.get(`${server}/revisions`);
    expect([reply.status, reply.headers.get('x-total-count')]).to.deep.equal([200, '2']);
    expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
    const [{ createdAt, ...newest } = expect.fail(), ...older] = reply.json() as readonly RevisionBody[];
    expect(newest).to.deep.equal({ number: 2, action: 'originServer.changed', author: `/api/users/${ada.id}` });
    expect(createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(older).to.have.lengthOf(1);
    const { '@id': id, '@type': type } = (
      (await ada.get(`${server}/revisions`, { accept: 'application/ld+json' })).json() as {
        readonly member: readonly Record<string, string>[];
      }
    ).member[0]!;
    expect([id, type]).to.deep.equal([`${server}/revisions/2`, 'OriginServerRevision']);
  });

  it('contain patches for applying and reverting the change, and the state', async () => {
    const server = await aServer({ name: 'Main', address: 'main.example.net' });
    await change(server, { requestHostname: 'shop.example.com' });
    const { number, patch, inversePatch, state } = (await revision(server, 2)) as unknown as Record<string, unknown>;
    expect({ number, patch, inversePatch }).to.deep.equal({
      number: 2,
      patch: { requestHostname: 'shop.example.com' },
      inversePatch: { requestHostname: null },
    });
    const written = { name: 'Main', protocol: 'https', address: 'main.example.net', port: 443 };
    expect(state).to.deep.equal({ ...written, requestHostname: 'shop.example.com' });
    expect((await revision(server, 1)).state).to.deep.equal({ ...written, requestHostname: null });
  });

  it('restore a backend when their state is sent as a patch', async () => {
    const { id, origins } = await aLoadBalancer(ada);
    const balancer = inOrganization(`load-balancers/${id}`);
    const before = (await ada.get(balancer)).json() as { readonly updatedAt: string };
    await change(balancer, {
      name: 'Other',
      method: 'ip_hash',
      requestHostname: 'shop.example.com',
      origins: origins.map((origin) => ({ ...origin, weight: 9 })),
    });
    await change(balancer, (await revision(balancer, 1)).state);
    const { updatedAt, ...after } = (await ada.get(balancer)).json() as { readonly updatedAt: string };
    expect({ ...after, updatedAt: before.updatedAt }).to.deep.equal(before);
    expect(updatedAt >= before.updatedAt).to.equal(true);
    expect(await actions(balancer)).to.deep.equal([
      [3, 'loadBalancer.changed'],
      [2, 'loadBalancer.changed'],
      [1, 'loadBalancer.created'],
    ]);
  });

  it('stay readable after the deletion, which is a revision too', async () => {
    const server = await aServer();
    expect((await ada.delete(server)).status).to.equal(204);
    expect(await actions(server)).to.deep.equal([
      [2, 'originServer.deleted'],
      [1, 'originServer.created'],
    ]);
    expect((await revision(server, 2)).state).to.deep.equal({});
  });

  it('are separate for each kind of backend', async () => {
    const { id } = await anOriginServer(ada);
    expectProblem(await ada.get(inOrganization(`load-balancers/${id}/revisions`)), 404, 'not-found');
    expectProblem(await ada.get(inOrganization(`load-balancers/${id}/revisions/1`)), 404, 'not-found');
    expectProblem(await ada.get(inOrganization(`origin-servers/${id}/revisions/2`)), 404, 'not-found');
  });
});

describe('Revisions of deleted backends', () => {
  let service: TestService;
  let ada: User;

  before(async () => {
    service = await openService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  it('are kept while a zone revision refers to the backend, directly or through a load balancer', async () => {
    const [before, after, direct, unnamed] = [
      await anOriginServer(ada),
      await anOriginServer(ada),
      await anOriginServer(ada),
      await anOriginServer(ada),
    ];
    const balancer = await aLoadBalancer(ada, { origins: [{ originServer: before.id }] });
    const organization = `/api/organizations/${ada.organization}`;
    const ok = async (path: string, patch?: object) => {
      const { status, text } = await (patch === undefined ? ada.delete(path) : ada.patch(path, patch));
      expect(status, text).to.be.within(200, 204);
    };
    const { id } = await aZone(ada, { zone_settings: { defaultBackend: { type: 'load_balancer', id: balancer.id } } });
    await ok(`${organization}/load-balancers/${balancer.id}`, { origins: [{ originServer: after.id }] });
    for (const defaultBackend of [{ type: 'origin_server', id: direct.id }, null])
      await ok(`/api/zones/${id}`, { zone_settings: { defaultBackend } });
    await ok(`${organization}/load-balancers/${balancer.id}`);
    const servers = [before, after, direct, unnamed].map((server) => `${organization}/origin-servers/${server.id}`);
    for (const server of servers) await ok(server);
    const statuses = async () => {
      const all = [`${organization}/load-balancers/${balancer.id}`, ...servers];
      const replies = await Promise.all(all.map((backend) => ada.get(`${backend}/revisions`)));
      return replies.map(({ status }) => status);
    };
    expect(await statuses()).to.deep.equal([200, 200, 200, 200, 200]);
    while ((await postgresExpiry(service.database).removeExpired()) > 0);
    expect(await statuses()).to.deep.equal([200, 200, 200, 200, 404]);
  });
});

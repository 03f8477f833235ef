import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import { type ApiTokenBody, anApiToken, aVerifiedUser, aZone, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';

const plainFormat = /^zw_[0-9A-Za-z]{36}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('API tokens', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const create = (body: unknown, user = ada) => user.post('/api/api-tokens', body);
  const withToken = (token: string) => clientOf(service.url, { 'x-api-token': token });

  describe('POST /api/api-tokens', () => {
    it('returns 201 with the plain token, which is shown only once', async () => {
      const reply = await create({ name: 'deployment' });
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { plainToken, id, createdAt, ...rest } = reply.json() as ApiTokenBody & { plainToken: string };
      expect(reply.headers.get('location')).to.equal(`/api/api-tokens/${id}`);
      expect(plainToken).to.match(plainFormat).and.to.have.length(39);
      expect(id).to.match(uuid);
      expect(createdAt).to.match(timestamp);
      expect(rest).to.deep.equal({
        name: 'deployment',
        prefix: plainToken.slice(0, 8),
        readOnly: false,
        organizations: [],
        permissions: [
          'zones:read',
          'zones:write',
          'rules:write',
          'purges:write',
          'backends:write',
          'members:read',
          'audit:read',
        ],
        active: true,
      });
      expect((await withToken(plainToken).get('/api/users/me')).json()).to.include({ id: ada.id });
    });

    it('returns 201 with everything else as written, networks in canonical form, as linked data on demand', async () => {
      const zone = await aZone(ada);
      const body = {
        name: 'narrow',
        readOnly: true,
        expiresAt: '2100-01-01T00:00:00.000Z',
        permissions: ['audit:read'],
      };
      const references = {
        organizations: [ada.organization, `/api/organizations/${ada.organization}`],
        zones: [zone.id, `/api/zones/${zone.id}`],
        networks: ['203.0.113.9/24', '2001:DB8::1'],
      };
      const reply = await ada.post('/api/api-tokens', { ...body, ...references }, { accept: 'application/ld+json' });
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.deep.include({
        '@type': 'ApiToken',
        '@context': '/api/contexts/ApiToken',
        ...body,
        organizations: [`/api/organizations/${ada.organization}`],
        zones: [`/api/zones/${zone.id}`],
        networks: ['203.0.113.0/24', '2001:db8::1'],
      });
    });

    it('returns 403 for `admin` in a session that was not confirmed lately', async () => {
      const user = await aVerifiedUser(service);
      service.inTables(({ sessions }) =>
        changeRows(sessions, ({ userId }) => userId === user.id, { confirmedAt: new Date(0) }),
      );
      const body = { name: 'manager', permissions: ['admin'] };
      expectProblem(await create(body, user), 403, 'confirmation-required');
      expect((await create({ name: 'program' }, user)).status).to.equal(201);
    });

    it('takes the owner from the session and ignores read-only members', async () => {
      const body = { name: 'mine', prefix: 'zw_abcde', plainToken: `zw_${'0'.repeat(36)}`, active: false, id: 'x' };
      const { plainToken, ...token } = (await create(body)).json() as ApiTokenBody & { plainToken: string };
      expect(plainToken).not.to.equal(body.plainToken);
      expect(token.active).to.equal(true);
      expectProblem(await create({ name: 'for another', userId: ada.id }), 422, 'validation-failed', [
        'userId: member.unknown',
      ]);
    });

    it('returns 422 with all violations of the body at once', async () => {
      expectProblem(await create({ permissions: [], networks: ['203.0.113.0/33'] }), 422, 'validation-failed', [
        'name: member.required',
        'permissions: list.tooShort',
        'networks[0]: network.syntax',
      ]);
    });
  });

  describe('GET /api/api-tokens', () => {
    it("returns 200 with the caller's tokens and their last use, paginated, never in plain text", async () => {
      const user = await aVerifiedUser(service);
      const { apiToken, plainToken, ...client } = await anApiToken(user, { networks: ['127.0.0.0/8', '::1'] });
      await client.get('/api/users/me');
      await anApiToken(user);
      const reply = await user.get('/api/api-tokens?itemsPerPage=1&page=2');
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('x-total-count')).to.equal('2');
      expect(reply.text).not.to.include(plainToken);
      const [{ lastUsedAt, ...token } = apiToken] = reply.json() as ApiTokenBody[];
      expect(token).to.deep.equal({ ...apiToken, lastUsedNetwork: '127.0.0.0/24' });
      expect(lastUsedAt).to.match(timestamp);
    });
  });

  describe('DELETE /api/api-tokens/{id}', () => {
    it('returns 204, and the token stops working immediately', async () => {
      const { apiToken, ...client } = await anApiToken(ada);
      expect((await client.get('/api/zones')).status).to.equal(200);
      const reply = await ada.delete(`/api/api-tokens/${apiToken.id}`);
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await client.get('/api/zones'), 401, 'unauthenticated');
    });

    it('returns 404 for a token of someone else and an invalid id', async () => {
      const { apiToken } = await anApiToken(ada);
      const path = `/api/api-tokens/${apiToken.id}`;
      const eve = await aVerifiedUser(service);
      expectProblem(await eve.delete(path), 404, 'not-found');
      expectProblem(await ada.delete('/api/api-tokens/1'), 404, 'not-found');
    });
  });

  describe('a request with an API token', () => {
    it('returns 401 for both headers, even if each is valid', async () => {
      const { plainToken } = await anApiToken(ada);
      const headers = { 'x-api-token': plainToken, authorization: `Bearer ${ada.token}` };
      const reply = await anonymous.get('/api/zones', headers);
      expectProblem(reply, 401, 'unauthenticated');
      expect(reply.text).to.include('several credentials');
    });

    it('returns 401 for an access token in X-API-TOKEN and to an API token after Bearer', async () => {
      const { plainToken } = await anApiToken(ada);
      expectProblem(await anonymous.get('/api/zones', { 'x-api-token': ada.token }), 401, 'unauthenticated');
      const headers = { authorization: `Bearer ${plainToken}` };
      expectProblem(await anonymous.get('/api/zones', headers), 401, 'unauthenticated');
      expectProblem(await anonymous.post('/api/auth/logout', undefined, headers), 401, 'unauthenticated');
    });

    it('returns 401 for an API token in a cookie', async () => {
      const { plainToken } = await anApiToken(ada);
      const headers = { cookie: `__Host-access_token=${plainToken}` };
      expectProblem(await anonymous.get('/api/zones', headers), 401, 'unauthenticated');
    });

    it('returns 401 from another network, as to an unknown token, and records that', async () => {
      const user = await aVerifiedUser(service);
      const { apiToken, plainToken, ...client } = await anApiToken(user, { networks: ['203.0.113.0/24'] });
      const refused = await client.get('/api/zones');
      expectProblem(refused, 401, 'unauthenticated');
      const unknown = await withToken(`${plainToken.slice(0, -1)}${plainToken.endsWith('0') ? 1 : 0}`).get(
        '/api/zones',
      );
      const { requestId: _, ...body } = unknown.json() as Record<string, unknown>;
      expect(refused.json()).to.deep.equal(body);
      const [entry] = service
        .inTables(({ auditLog }) => [...auditLog.values()])
        .filter(({ action }) => action === 'access.foreignNetwork');
      expect(entry).to.deep.include({ actor: user.id, objects: { route: '/api/zones', apiToken: apiToken.id } });
    });

    it('returns 403 for logging out, because a token has no session', async () => {
      expectProblem(await (await anApiToken(ada)).post('/api/auth/logout'), 403, 'session-required');
    });
  });

  describe('of every route', () => {
    let ids: Awaited<ReturnType<typeof someOfEverything>>;
    let readOnly: Client;
    let full: Client;

    before(async () => {
      ids = await someOfEverything(service, ada);
      readOnly = await anApiToken(ada, { readOnly: true });
      full = await anApiToken(ada);
    });

    const call = (client: Client, { method, path }: Pick<Route, 'method' | 'path'>) =>
      client.send(method.toUpperCase(), addressOf({ method, path }, ids));

    for (const route of routes.filter(({ method, access }) => method !== 'get' && access !== 'edge')) {
      it(`${named(route)} returns 403 for a read-only token`, async () => {
        expectProblem(await call(readOnly, route), 403, 'read-only-token');
      });
    }

    for (const route of routes.filter(({ method, access }) => method === 'get' && access === 'protected')) {
      it(`${named(route)} returns 200 for a read-only token`, async () => {
        expect((await call(readOnly, route)).status).to.equal(200);
      });
    }

    for (const route of routes.filter(({ access }) => access === 'session')) {
      it(`${named(route)} returns 403 for a writable token: it needs a session`, async () => {
        expectProblem(await call(full, route), 403, 'session-required');
      });
    }

    it('only these routes need a session', () => {
      expect(routes.filter(({ access }) => access === 'session').map(named)).to.deep.equal([
        'POST /api/auth/confirm',
        'GET /api/users/me/sessions',
        'DELETE /api/users/me/sessions',
        'DELETE /api/users/me/sessions/:id',
        'GET /api/users/me/providers',
        'POST /api/users/me/providers/:id/start',
        'DELETE /api/users/me/providers/:id',
        'POST /api/users/me/email',
        'POST /api/users/me/password',
        'POST /api/2fa/setup',
        'POST /api/2fa/confirm',
        'POST /api/2fa/disable',
        'POST /api/2fa/recovery-codes',
        'POST /api/auth/confirm/options',
        'POST /api/users/me/passkeys/options',
        'POST /api/users/me/passkeys',
        'GET /api/users/me/passkeys',
        'PATCH /api/users/me/passkeys/:id',
        'DELETE /api/users/me/passkeys/:id',
        'GET /api/api-tokens',
        'POST /api/api-tokens',
        'DELETE /api/api-tokens/:id',
        'GET /api/users/me/audit-log',
        'POST /api/invitations/accept',
      ]);
    });

    it('allows a read-only token to send OPTIONS', async () => {
      expect((await readOnly.send('OPTIONS', '/api/zones')).status).to.equal(204);
    });
  });
});

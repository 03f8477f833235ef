import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import { type ApiTokenBody, aMember, anApiToken, aVerifiedUser, aZone, type User, unique } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';

const plainFormat = /^zw_[0-9A-Za-z]{36}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const missingZone = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
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
  const expire = (expired: Pick<ApiTokenBody, 'id'>) =>
    service.inTables(({ apiTokens }) =>
      changeRows(apiTokens, ({ id }) => id === expired.id, { expiresAt: new Date(0) }),
    );
  const withToken = (token: string) => clientOf(service.url, { 'x-api-token': token });

  describe('POST /api/api-tokens', () => {
    it('answers 201 with the plain token, which is shown only once', async () => {
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

    it('answers 201 with linked data on demand', async () => {
      const reply = await ada.post('/api/api-tokens', { name: 'linked' }, { accept: 'application/ld+json' });
      expect(reply.json()).to.include({ '@type': 'ApiToken', '@context': '/api/contexts/ApiToken' });
    });

    it('answers 201 with scope, expiry and readOnly as written', async () => {
      const expiresAt = '2100-01-01T00:00:00.000Z';
      const body = {
        name: 'narrow',
        readOnly: true,
        organizations: [`/api/organizations/${ada.organization}`],
        expiresAt,
      };
      const reply = await create(body);
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.deep.include(body);
      const withNumbers = await create({ ...body, name: 'numbers', organizations: [ada.organization] });
      expect(withNumbers.json()).to.deep.include({ organizations: body.organizations });
    });

    it('answers 201 with permissions, zones and networks in canonical form', async () => {
      const zone = await aZone(ada);
      const reply = await create({
        name: 'limited',
        permissions: ['audit:read', 'rules:write', 'audit:read'],
        zones: [zone.id, `/api/zones/${zone.id}`],
        networks: ['203.0.113.9/24', '2001:DB8::1'],
      });
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.deep.include({
        permissions: ['rules:write', 'audit:read'],
        zones: [`/api/zones/${zone.id}`],
        networks: ['203.0.113.0/24', '2001:db8::1'],
      });
      expect((await ada.get('/api/api-tokens')).json()).to.deep.include.members([
        Object.fromEntries(Object.entries(reply.json() as object).filter(([name]) => name !== 'plainToken')),
      ]);
    });

    it('answers 403 to `admin` in a session that was not confirmed lately, 201 once it is', async () => {
      const user = await aVerifiedUser(service);
      service.inTables(({ sessions }) =>
        changeRows(sessions, ({ userId }) => userId === user.id, { confirmedAt: new Date(0) }),
      );
      const body = { name: 'manager', permissions: ['admin'] };
      expectProblem(await create(body, user), 403, 'confirmation-required');
      expect((await create({ name: 'program' }, user)).status).to.equal(201);
      expect((await user.post('/api/auth/confirm', { password: user.password })).status).to.equal(204);
      expect((await create(body, user)).status).to.equal(201);
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

    const refused: readonly (readonly [what: string, body: unknown, violations: readonly string[]])[] = [
      ['no name', {}, ['name: member.required']],
      ['an expiry in the past', { name: 'a', expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt: date.past']],
      ['no permissions', { name: 'a', permissions: [] }, ['permissions: list.tooShort']],
      ['an unknown permission', { name: 'a', permissions: ['root'] }, ['permissions[0]: value.choice']],
      ['no zones', { name: 'a', zones: [] }, ['zones: list.tooShort']],
      ['a zone that does not exist', { name: 'a', zones: [missingZone] }, ['zones[0]: zone.unreadable']],
      ['no networks', { name: 'a', networks: [] }, ['networks: list.tooShort']],
      ['something that is no network', { name: 'a', networks: ['203.0.113.0/33'] }, ['networks[0]: network.syntax']],
      ['too many networks', { name: 'a', networks: Array(51).fill('::1') }, ['networks: list.tooLong']],
      [
        'an organization of another user',
        { name: 'a', organizations: [999_999] },
        ['organizations[0]: organization.foreign'],
      ],
    ];
    for (const [what, body, violations] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectProblem(await create(body), 422, 'validation-failed', violations);
      });
    }
  });

  describe('GET /api/api-tokens', () => {
    it("answers 200 with the caller's tokens, newest first, paginated, never in plain text", async () => {
      const user = await aVerifiedUser(service);
      const made = [await anApiToken(user), await anApiToken(user), await anApiToken(user)];
      const reply = await user.get('/api/api-tokens');
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('x-total-count')).to.equal('3');
      const tokens = reply.json() as ApiTokenBody[];
      expect(tokens.map(({ id }) => id)).to.deep.equal(made.map(({ apiToken }) => apiToken.id).toReversed());
      for (const { plainToken } of made) expect(reply.text).not.to.include(plainToken);
      const second = await user.get('/api/api-tokens?itemsPerPage=2&page=2');
      expect((second.json() as ApiTokenBody[]).map(({ id }) => id)).to.deep.equal([made[0]?.apiToken.id]);
    });

    it('answers 200 with the last use and whether the token is active', async () => {
      const user = await aVerifiedUser(service);
      const { apiToken, ...client } = await anApiToken(user);
      expect(apiToken).not.to.have.property('lastUsedAt');
      await client.get('/api/users/me');
      const [token] = (await user.get('/api/api-tokens')).json() as ApiTokenBody[];
      expect(token?.lastUsedAt).to.match(timestamp);
      expire(apiToken);
      expect((await user.get('/api/api-tokens')).json()).to.have.nested.property('[0].active', false);
    });
  });

  describe('DELETE /api/api-tokens/{id}', () => {
    it('answers 204, and the token stops working immediately', async () => {
      const { apiToken, ...client } = await anApiToken(ada);
      expect((await client.get('/api/zones')).status).to.equal(200);
      const reply = await ada.delete(`/api/api-tokens/${apiToken.id}`);
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await client.get('/api/zones'), 401, 'unauthenticated');
    });

    it('answers 404 to a token that was revoked, belongs to someone else, or cannot exist', async () => {
      const { apiToken } = await anApiToken(ada);
      const path = `/api/api-tokens/${apiToken.id}`;
      const eve = await aVerifiedUser(service);
      expectProblem(await eve.delete(path), 404, 'not-found');
      expect((await ada.delete(path)).status).to.equal(204);
      expectProblem(await ada.delete(path), 404, 'not-found');
      expectProblem(await ada.delete('/api/api-tokens/1'), 404, 'not-found');
    });
  });

  describe('a request with an API token', () => {
    it('answers 401 after the token has expired', async () => {
      const { apiToken, ...client } = await anApiToken(ada, { expiresAt: '2100-01-01T00:00:00Z' });
      expect((await client.get('/api/zones')).status).to.equal(200);
      expire(apiToken);
      expectProblem(await client.get('/api/zones'), 401, 'unauthenticated');
    });

    it('answers 401 to both headers, even if each is valid', async () => {
      const { plainToken } = await anApiToken(ada);
      const headers = { 'x-api-token': plainToken, authorization: `Bearer ${ada.token}` };
      const reply = await anonymous.get('/api/zones', headers);
      expectProblem(reply, 401, 'unauthenticated');
      expect(reply.text).to.include('several credentials');
    });

    it('answers 401 to an access token in X-API-TOKEN and to an API token after Bearer', async () => {
      const { plainToken } = await anApiToken(ada);
      expectProblem(await anonymous.get('/api/zones', { 'x-api-token': ada.token }), 401, 'unauthenticated');
      const headers = { authorization: `Bearer ${plainToken}` };
      expectProblem(await anonymous.get('/api/zones', headers), 401, 'unauthenticated');
      expectProblem(await anonymous.post('/api/auth/logout', undefined, headers), 401, 'unauthenticated');
    });

    it('answers 401 to an API token in a cookie', async () => {
      const { plainToken } = await anApiToken(ada);
      const headers = { cookie: `__Host-access_token=${plainToken}` };
      expectProblem(await anonymous.get('/api/zones', headers), 401, 'unauthenticated');
    });

    it('reaches only the organizations it is restricted to', async () => {
      const grace = await aVerifiedUser(service);
      const user = await aMember(service, grace, 'editor');
      const [own, shared] = [await aZone(user), await aZone(grace)];
      const narrow = await anApiToken(user, { organizations: [grace.organization] });
      expect((await narrow.get(`/api/zones/${shared.id}`)).status).to.equal(200);
      expectProblem(await narrow.get(`/api/zones/${own.id}`), 403, 'forbidden');
      expectProblem(await narrow.get(`/api/organizations/${user.organization}`), 403, 'forbidden');
      expect(((await narrow.get('/api/zones')).json() as { id: string }[]).map(({ id }) => id)).to.deep.equal([
        shared.id,
      ]);
      expect((await narrow.get(`/api/zones?organization=${user.organization}`)).json()).to.deep.equal([]);
      const write = { name: `zone-${unique()}`, organization: user.organization };
      expectProblem(await narrow.post('/api/zones', write), 403, 'forbidden');
      const wide = await anApiToken(user);
      expect((await wide.get('/api/zones')).json()).to.have.length(2);
    });

    it('answers 403 when a restricted token creates an organization, 201 for any other with `admin`', async () => {
      const narrow = await anApiToken(ada, { organizations: [ada.organization] });
      for (const body of [{ name: 'Unseen' }, { name: 1 }]) {
        expectProblem(await narrow.post('/api/organizations', body), 403, 'forbidden');
      }
      expect((await (await anApiToken(ada)).post('/api/organizations', { name: 'Seen' })).status).to.equal(201);
    });

    it('answers 401 from another network, as to an unknown token, and records that', async () => {
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
      expect((await user.get('/api/api-tokens')).json()).not.to.have.nested.property('[0].lastUsedAt');
    });

    it('answers 200 from its networks, and shows the last one', async () => {
      const user = await aVerifiedUser(service);
      const { apiToken: _, ...client } = await anApiToken(user, { networks: ['127.0.0.0/8', '::1'] });
      expect((await client.get('/api/zones')).status).to.equal(200);
      expect((await user.get('/api/api-tokens')).json()).to.have.nested.property('[0].lastUsedNetwork', '127.0.0.0/24');
    });

    it('answers 403 to logging out, because a token has no session', async () => {
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
      it(`${named(route)} answers 403 to a read-only token`, async () => {
        expectProblem(await call(readOnly, route), 403, 'read-only-token');
      });
    }

    for (const route of routes.filter(({ method, access }) => method === 'get' && access === 'protected')) {
      it(`${named(route)} answers 200 to a read-only token`, async () => {
        expect((await call(readOnly, route)).status).to.equal(200);
      });
    }

    for (const route of routes.filter(({ access }) => access === 'session')) {
      it(`${named(route)} answers 403 to a writable token: it needs a session`, async () => {
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

import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf as addressWith, named, routes, someOfEverything } from './support/route-table.ts';

const isRead = ({ method }: Route) => method === 'get';

describe('Access', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;
  let ids: Awaited<ReturnType<typeof someOfEverything>>;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
    ada = await aVerifiedUser(service);
    ids = await someOfEverything(service, ada);
  });
  after(() => service.close());

  const addressOf = (route: Route) => addressWith(route, ids);

  it('is checked first, except on endpoints without credentials or with their own check', () => {
    expect(routes.filter(({ access }) => access === 'public').map(named)).to.deep.equal([
      'POST /api/auth/login',
      'POST /api/auth/2fa',
      'POST /api/auth/refresh',
      'POST /api/auth/logout',
      'GET /api/auth/providers',
      'GET /api/auth/providers/:id/start',
      'GET /api/auth/providers/:id/callback',
      'POST /api/auth/providers/:id/token',
      'POST /api/auth/confirm-email',
      'POST /api/auth/undo-email',
      'POST /api/auth/register',
      'POST /api/auth/resend-verification',
      'POST /api/auth/forgot-password',
      'POST /api/auth/reset-password',
      'POST /api/auth/verify-email',
      'POST /api/auth/passkey/options',
      'POST /api/auth/passkey',
      'POST /api/auth/2fa/options',
      'POST /edge/v1/enrolments',
    ]);
  });

  const send = (route: Route, headers: Readonly<Record<string, string>> = {}) =>
    anonymous.send(route.method.toUpperCase(), addressOf(route), { headers });
  const expectUnauthenticated = (reply: Reply) => {
    expectProblem(reply, 401, 'unauthenticated');
    expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
  };

  for (const route of routes.filter(({ access }) => access !== 'public')) {
    it(`is denied with 401 for ${named(route)} without credentials`, async () => {
      expectUnauthenticated(await send(route));
    });
  }

  // Credentials are checked before routing, so one read and one write cover all routes.
  for (const name of ['GET /api/users/me', 'POST /api/zones']) {
    describe(`for ${name}`, () => {
      const route = routes.find((each) => named(each) === name) ?? expect.fail(name);
      const garbage: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
        ['an unknown bearer token', { authorization: 'Bearer garbage' }],
        ['an empty bearer token', { authorization: 'Bearer ' }],
        ['another scheme', { authorization: 'Basic YWRhOnNlY3JldA==' }],
        ['an unknown API token', { 'x-api-token': 'zw_garbage' }],
        ['an empty API token', { 'x-api-token': '' }],
        ['an unknown cookie', { cookie: '__Host-access_token=garbage' }],
      ];
      for (const [what, headers] of garbage) {
        it(`is denied with 401 for ${what}`, async () => expectUnauthenticated(await send(route, headers)));
      }

      it('is denied with 401 for a live access token sent with an API token', async () => {
        const headers = { authorization: `Bearer ${ada.token}`, 'x-api-token': 'zw_garbage' };
        expectUnauthenticated(await send(route, headers));
      });

      it('is denied with 401 for a token in the query', async () => {
        const path = `${addressOf(route)}?access_token=${ada.token}&token=${ada.token}`;
        expectUnauthenticated(await anonymous.send(route.method.toUpperCase(), path));
      });
    });
  }

  it('is denied for HEAD as for GET', async () => {
    expect((await anonymous.head('/api/users/me')).status).to.equal(401);
  });

  for (const route of routes.filter((each) => isRead(each) && each.access !== 'public' && each.access !== 'edge')) {
    it(`returns the header fields of GET for HEAD of ${named(route)}, without the body`, async () => {
      const path = addressOf(route);
      const [get, head] = await Promise.all([ada.get(path), ada.head(path)]);
      const shapeOf = ({ status, headers }: typeof get) => ({
        status,
        headers: Object.fromEntries(
          ['content-type', 'content-length', 'etag', 'link', 'x-total-count', 'cache-control', 'vary'].map((name) => [
            name,
            headers.get(name),
          ]),
        ),
      });
      expect(get.status).to.equal(200);
      expect(shapeOf(head)).to.deep.equal(shapeOf(get));
      expect(head.text).to.equal('');
    });
  }

  it('is documented for every route', async () => {
    const answer = await fetch(`${service.url}/api/docs`);
    expect(answer.headers.get('Content-Type')).to.equal('text/html; charset=utf-8');
    const page = await answer.text();
    for (const { method, path } of routes) {
      expect(page).to.include(`<code>${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}</code>`);
    }
  });
});

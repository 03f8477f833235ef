import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import {
  aMember,
  anApiToken,
  aVerifiedUser,
  aZone,
  join,
  type Role,
  roles,
  type User,
  unique,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfOrganization, someOfZone } from './support/route-table.ts';
import { enforceTwoFactor } from './support/two-factor.ts';
import { minimalMembers, ruleListNames, ruleLists, someHash } from './support/zone-contents.ts';

/** The callers of each route. All tokens belong to the owner. */
const callers = [...roles, 'outsider', 'token', 'read-only token', 'token for another organization', 'nobody'] as const;
type CallerName = (typeof callers)[number];

/** The roles allowed, the status they get, and the request body. */
interface Row {
  readonly allowed: readonly Role[];
  readonly status: number;
  /** Not for API tokens. */
  readonly session?: true;
  readonly body?: (organization: number, ids: Ids) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it works only once per object. */
  readonly isOnce?: true;
}

const everybody: readonly Role[] = roles;
const writers: readonly Role[] = ['owner', 'admin', 'editor'];
const administrators: readonly Role[] = ['owner', 'admin'];

const reads: Row = { allowed: everybody, status: 200 };
const ignoringState = { 'if-match': '*' };

const ruleRows: readonly (readonly [route: string, row: Row])[] = ruleListNames.flatMap((list) => {
  const collection = `/api/zones/:zoneId/${ruleLists[list]}`;
  const anew = () => minimalMembers(list);
  const all = [
    [`GET ${collection}`, reads],
    [`POST ${collection}`, { allowed: writers, status: 201, body: anew }],
    [`GET ${collection}/:id`, reads],
    [`PATCH ${collection}/:id`, { allowed: writers, status: 200, body: () => ({ enabled: false }) }],
    [`DELETE ${collection}/:id`, { allowed: writers, status: 204 }],
  ] as const;
  const ordered = [
    [`PUT ${collection}`, { allowed: writers, status: 200, body: () => [anew()], headers: ignoringState }],
    [`POST ${collection}/:id/move`, { allowed: writers, status: 200, body: () => ({ position: 1 }) }],
  ] as const;
  return list === 'securityScenarios' ? all : [...all, ...ordered];
});

/** Permissions for zones, organizations and everything inside them. */
const matrix: Readonly<Record<string, Row | undefined>> = {
  'GET /api/organizations/:id': reads,
  'PATCH /api/organizations/:id': { allowed: administrators, status: 200, body: () => ({ name: 'New name' }) },
  // It contains zones, so even an owner cannot delete it; but owners learn why.
  'DELETE /api/organizations/:id': { allowed: ['owner'], status: 409, session: true },
  'GET /api/organizations/:id/members': reads,
  'GET /api/organizations/:id/members/:user': reads,
  'PATCH /api/organizations/:id/members/:user': {
    allowed: administrators,
    status: 200,
    body: () => ({ role: 'editor' }),
  },
  'DELETE /api/organizations/:id/members/:user': { allowed: administrators, status: 204, session: true },
  'GET /api/organizations/:id/audit-log': { allowed: administrators, status: 200 },
  'GET /api/organizations/:id/invitations': { allowed: administrators, status: 200 },
  'POST /api/organizations/:id/invitations': {
    allowed: administrators,
    status: 201,
    body: () => ({ email: `guest${unique()}@example.com`, role: 'viewer' }),
  },
  'GET /api/organizations/:id/invitations/:invitation': { allowed: administrators, status: 200 },
  'POST /api/organizations/:id/invitations/:invitation/resend': { allowed: administrators, status: 200 },
  'DELETE /api/organizations/:id/invitations/:invitation': { allowed: administrators, status: 204 },
  'GET /api/organizations/:id/domains': reads,
  'POST /api/organizations/:id/domains': {
    allowed: administrators,
    status: 201,
    body: () => ({ name: `d${unique()}.example` }),
  },
  'GET /api/organizations/:id/domains/:domain': reads,
  'POST /api/organizations/:id/domains/:domain/verify': { allowed: administrators, status: 200 },
  'DELETE /api/organizations/:id/domains/:domain': { allowed: administrators, status: 204 },
  'GET /api/organizations/:id/origin-servers': reads,
  'POST /api/organizations/:id/origin-servers': {
    allowed: writers,
    status: 201,
    body: () => ({ name: `server ${unique()}`, protocol: 'https', address: `server-${unique()}.example.net` }),
  },
  'GET /api/organizations/:id/origin-servers/:originServer': reads,
  'PATCH /api/organizations/:id/origin-servers/:originServer': {
    allowed: writers,
    status: 200,
    body: () => ({ port: 8443 }),
  },
  'DELETE /api/organizations/:id/origin-servers/:originServer': { allowed: writers, status: 204 },
  'GET /api/organizations/:id/origin-servers/:originServer/revisions': reads,
  'GET /api/organizations/:id/origin-servers/:originServer/revisions/:number': reads,
  'GET /api/organizations/:id/deleted-zones': { allowed: administrators, status: 200 },
  'GET /api/organizations/:id/deleted-zones/:zoneId': { allowed: administrators, status: 200 },
  'POST /api/organizations/:id/deleted-zones/:zoneId/restore': { allowed: administrators, status: 200, isOnce: true },
  'GET /api/organizations/:id/load-balancers': reads,
  // Roles that may learn that the origin server does not exist.
  'POST /api/organizations/:id/load-balancers': {
    allowed: writers,
    status: 422,
    body: () => ({ name: `balancer ${unique()}`, origins: [{ originServer: missing.item }] }),
  },
  'GET /api/organizations/:id/load-balancers/:loadBalancer': reads,
  'PATCH /api/organizations/:id/load-balancers/:loadBalancer': {
    allowed: writers,
    status: 200,
    body: () => ({ method: 'ip_hash' }),
  },
  'DELETE /api/organizations/:id/load-balancers/:loadBalancer': { allowed: writers, status: 204 },
  'GET /api/organizations/:id/load-balancers/:loadBalancer/revisions': reads,
  'GET /api/organizations/:id/load-balancers/:loadBalancer/revisions/:number': reads,
  'POST /api/zones': {
    allowed: writers,
    status: 201,
    body: (organization) => ({ name: `zone-${unique()}`, organization }),
  },
  'GET /api/zones/:id': reads,
  'PATCH /api/zones/:id': { allowed: writers, status: 200, body: () => ({ zone_settings: { minifyHtml: true } }) },
  'POST /api/zones/:id/ban-token': { allowed: administrators, status: 200 },
  'DELETE /api/zones/:id': { allowed: administrators, status: 204 },
  ...Object.fromEntries(ruleRows),
  'GET /api/zones/:zoneId/basic-auth-users': reads,
  'POST /api/zones/:zoneId/basic-auth-users': {
    allowed: writers,
    status: 201,
    body: () => ({ username: `user-${unique()}`, passwordHash: someHash }),
  },
  'GET /api/zones/:zoneId/basic-auth-users/:id': reads,
  'PATCH /api/zones/:zoneId/basic-auth-users/:id': {
    allowed: writers,
    status: 200,
    body: () => ({ comment: 'another' }),
  },
  'DELETE /api/zones/:zoneId/basic-auth-users/:id': { allowed: writers, status: 204 },
  'GET /api/zones/:id/evaluation': reads,
  'POST /api/zones/:id/evaluation': { ...reads, body: () => ({ request: { url: 'https://shop.example.com/' } }) },
  'GET /api/zones/:id/findings': reads,
  'GET /api/zones/:id/delivery': reads,
  'GET /api/zones/:zoneId/revisions/:number/findings': reads,
  'GET /api/zones/:zoneId/change-sets/:id/findings': reads,
  'GET /api/zones/:zoneId/change-sets/:id/behaviour': reads,
  'GET /api/zones/:zoneId/revisions/:number/behaviour/:other': reads,
  'GET /api/zones/:zoneId/change-sets': reads,
  'POST /api/zones/:zoneId/change-sets': { allowed: writers, status: 201, body: () => ({ patch: {} }) },
  'GET /api/zones/:zoneId/change-sets/:id': reads,
  'PATCH /api/zones/:zoneId/change-sets/:id': { allowed: writers, status: 200, body: () => ({ title: 'another' }) },
  'DELETE /api/zones/:zoneId/change-sets/:id': { allowed: writers, status: 204 },
  'POST /api/zones/:zoneId/change-sets/:id/rebase': { allowed: writers, status: 200, body: () => ({}) },
  'GET /api/zones/:zoneId/change-sets/:id/evaluation': reads,
  'POST /api/zones/:zoneId/change-sets/:id/evaluation': {
    ...reads,
    body: () => ({ request: { url: 'https://shop.example.com/' } }),
  },
  'POST /api/zones/:zoneId/change-sets/:id/apply': {
    allowed: writers,
    status: 200,
    headers: ignoringState,
    isOnce: true,
  },
  'GET /api/zones/:zoneId/promotions': reads,
  'POST /api/zones/:zoneId/promotions': {
    allowed: writers,
    status: 201,
    body: (_, ids) => ({ from: ids['promotions/:from'], title: `promotion-${unique()}` }),
  },
  'GET /api/zones/:zoneId/promotions/:id': reads,
  'GET /api/zones/:zoneId/revisions': reads,
  'GET /api/zones/:zoneId/revisions/:number': reads,
  'GET /api/zones/:zoneId/revisions/:number/diff/:other': reads,
  'POST /api/zones/:zoneId/revisions/:number/restore': { allowed: writers, status: 200 },
};

/** Open to all signed-in users: lists of what the caller can see, and creation of top-level objects. */
const open: readonly string[] = ['GET /api/organizations', 'POST /api/organizations', 'GET /api/zones'];

const inside = routes.filter(({ path }) => /^\/api\/(?:zones|organizations)(?:\/|$)/.test(path));
const scoped = inside.filter((route) => !open.includes(named(route)));
const isOnce = (route: Route): boolean => route.method === 'delete' || rowOf(route).isOnce === true;
const rowOf = (route: Route): Row => matrix[named(route)] ?? expect.fail(`no row for ${named(route)}`);

/** The objects of a route: an organization, a zone in it, and one of each nested object. */
type Ids = Readonly<Record<string, string | number>>;

const missing = {
  zone: '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e',
  organization: 999_999_999,
  item: '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1f',
} as const;

describe('The permission matrix', function () {
  this.timeout(20_000);
  let service: MemoryService;
  let owner: User;
  let outsider: User;
  let clients: Readonly<Record<CallerName, Client>>;
  let shared: Ids;

  before(async () => {
    service = await openMemoryService();
    [owner, outsider] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
    const [coOwner, admin, editor, viewer, elsewhere] = await Promise.all([
      aMember(service, owner, 'owner'),
      aMember(service, owner, 'admin'),
      aMember(service, owner, 'editor'),
      aMember(service, owner, 'viewer'),
      aVerifiedUser(service),
    ]);
    await join(service, owner, elsewhere.organization, 'owner');
    clients = {
      owner: coOwner,
      admin,
      editor,
      viewer,
      outsider,
      token: await anApiToken(owner),
      'read-only token': await anApiToken(owner, { readOnly: true }),
      'token for another organization': await anApiToken(owner, {
        organizations: [`/api/organizations/${elsewhere.organization}`],
      }),
      nobody: clientOf(service.url),
    };
    // Contains a zone, so even an owner cannot delete the organization that all rows share.
    shared = await everything(owner);
  });
  after(() => service.close());

  it('has a row for every route of zones and organizations', () => {
    expect(inside.map(named)).to.have.members([...open, ...Object.keys(matrix)]);
  });

  const everything = async (user: User): Promise<Ids> => ({
    ...(await zoneOf(user)),
    ...(await someOfOrganization(service, user)),
  });

  const zoneOf = async (user: User, route?: Route): Promise<Ids> => {
    const { id } = await aZone(user, { organization: user.organization });
    return { 'zones/:id': id, 'zones/:zoneId': id, ...(await someOfZone(user, { id }, route)) };
  };

  /** New objects for routes that delete theirs. */
  const another = async (route: Route): Promise<Ids> => ({
    ...shared,
    ...(route.path.startsWith('/api/zones') ? await zoneOf(owner, route) : {}),
    ...(await someOfOrganization(service, owner, route)),
  });

  const call = (client: Client, route: Route, ids: Ids, organization = owner.organization): Promise<Reply> => {
    const { body } = rowOf(route);
    return body === undefined
      ? client.send(route.method.toUpperCase(), addressOf(route, ids), { headers: rowOf(route).headers ?? {} })
      : sendText(client, route, ids, JSON.stringify(body(organization, ids)));
  };

  const sendText = (client: Client, route: Route, ids: Ids, body: string): Promise<Reply> => {
    const type = route.method === 'patch' ? 'application/merge-patch+json' : 'application/json';
    const headers = { ...rowOf(route).headers, 'content-type': type };
    return client.send(route.method.toUpperCase(), addressOf(route, ids), { headers, body });
  };

  /** The expected problem of a caller; undefined if the call is allowed. */
  const refusalOf = (caller: CallerName, route: Route): readonly [status: number, slug: string] | undefined => {
    switch (caller) {
      case 'nobody':
        return [401, 'unauthenticated'];
      case 'outsider':
      case 'token for another organization':
        return [403, 'forbidden'];
      case 'token':
        return rowOf(route).session ? [403, 'session-required'] : undefined;
      case 'read-only token':
        return route.method === 'get' ? undefined : [403, 'read-only-token'];
      default:
        return rowOf(route).allowed.includes(caller) ? undefined : [403, 'forbidden'];
    }
  };

  const states = async (ids: Ids) => {
    const paths = [`/api/zones/${ids['zones/:id']}`, `/api/organizations/${ids['organizations/:id']}`];
    return Promise.all(paths.map(async (path) => (await owner.get(path)).headers.get('etag')));
  };

  for (const route of scoped) {
    const allowed = callers.filter((caller) => refusalOf(caller, route) === undefined);
    const refused = callers.filter((caller) => refusalOf(caller, route) !== undefined);

    describe(named(route), () => {
      let ids: Ids;
      before(async () => {
        // Does not delete what other rows need.
        ids = isOnce(route) || route.method === 'put' ? await another(route) : shared;
      });

      it(`is denied to ${refused.join(', ')}, without any change`, async () => {
        const before = await states(ids);
        for (const caller of refused) {
          const [status, slug] = refusalOf(caller, route) ?? expect.fail();
          const reply = await call(clients[caller], route, ids);
          expect(reply.status, `${caller}: ${reply.text}`).to.equal(status);
          expectProblem(reply, status, slug);
          // Body errors are reported only to callers with write access. A body that names its organization is read
          // first.
          if (rowOf(route).body !== undefined && (named(route) !== 'POST /api/zones' || slug !== 'forbidden'))
            expectProblem(await sendText(clients[caller], route, ids, '['), status, slug);
        }
        expect(await states(ids)).to.deep.equal(before);
      });

      it(`answers ${rowOf(route).status} to ${allowed.join(', ')}`, async () => {
        for (const caller of allowed) {
          const isGone = isOnce(route) && caller !== allowed[0];
          const reply = await call(clients[caller], route, isGone ? await another(route) : ids);
          expect(reply.status, `${caller}: ${reply.text}`).to.equal(rowOf(route).status);
        }
      });
    });
  }

  describe('for missing objects', () => {
    const known = ['owner', 'outsider', 'token for another organization'] as const;

    for (const route of scoped.filter(({ path }) => path.includes('/:'))) {
      const isOfZone = route.path.startsWith('/api/zones/');
      const whole = isOfZone ? 'zone' : 'organization';

      it(`${named(route)} answers 404 to every authenticated caller for a missing ${whole}`, async () => {
        const nowhere: Ids = {
          ...shared,
          'zones/:id': missing.zone,
          'zones/:zoneId': missing.zone,
          'organizations/:id': missing.organization,
        };
        for (const caller of known) expectProblem(await call(clients[caller], route, nowhere), 404, 'not-found');
        expectProblem(await call(clients.nobody, route, nowhere), 401, 'unauthenticated');
      });

      const nested = [...route.path.matchAll(/([a-z-]+\/):(\w+)/g)].slice(1).map(([part]) => part);
      if (nested.length === 0) continue;
      it(`${named(route)} answers 404 to members for a missing nested object, 403 to others`, async () => {
        for (const part of nested) {
          const gone = { ...shared, [part]: /revisions|diff|behaviour/.test(part) ? 4711 : missing.item };
          expectProblem(await call(clients.owner, route, gone), 404, 'not-found');
          expectProblem(await call(clients.outsider, route, gone), 403, 'forbidden');
        }
      });
    }
  });

  describe('for an organization that requires a second factor', () => {
    let careless: User;
    let ids: Ids;
    before(async () => {
      careless = await aVerifiedUser(service);
      ids = await everything(careless);
      enforceTwoFactor(service, careless);
    });

    for (const route of scoped) {
      it(`${named(route)} answers 403 to an owner without one`, async () => {
        const reply = await call(careless, route, ids, careless.organization);
        expectProblem(reply, 403, 'two-factor-required');
      });
    }
  });

  describe('for routes open to all signed-in users', () => {
    const idsIn = async (client: Client, path: string) =>
      ((await client.get(path)).json() as readonly { id: string | number }[]).map(({ id }) => id);

    it("GET /api/zones returns the organization's zones only to members and their tokens", async () => {
      const { id } = await aZone(owner);
      const newest = '/api/zones?order[createdAt]=desc';
      for (const caller of [...roles, 'read-only token'] as const) {
        expect(await idsIn(clients[caller], newest), caller).to.include(id);
      }
      for (const caller of ['outsider', 'token for another organization'] as const) {
        expect(await idsIn(clients[caller], newest), caller).not.to.include(id);
        const filtered = await clients[caller].get(`/api/zones?organization=${owner.organization}`);
        expect({ status: filtered.status, text: filtered.text }).to.deep.equal({ status: 200, text: '[]' });
      }
    });

    it('GET /api/organizations returns only those of the caller or token', async () => {
      for (const caller of [...roles, 'read-only token'] as const) {
        expect(await idsIn(clients[caller], '/api/organizations?itemsPerPage=100'), caller).to.include(
          owner.organization,
        );
      }
      for (const caller of ['outsider', 'token for another organization'] as const) {
        expect(await idsIn(clients[caller], '/api/organizations?itemsPerPage=100'), caller).not.to.include(
          owner.organization,
        );
      }
    });

    it('POST /api/organizations is allowed to all who may write, except tokens that could not see the result', async () => {
      const statuses = await Promise.all(
        callers.map(async (caller) => [
          caller,
          (await clients[caller].post('/api/organizations', { name: 'Mine' })).status,
        ]),
      );
      expect(Object.fromEntries(statuses)).to.deep.equal({
        owner: 201,
        admin: 201,
        editor: 201,
        viewer: 201,
        outsider: 201,
        token: 201,
        'read-only token': 403,
        'token for another organization': 403,
        nobody: 401,
      });
    });

    it('and never answer 401', async () => {
      for (const path of ['/api/zones', '/api/organizations']) {
        expectProblem(await clients.nobody.get(path), 401, 'unauthenticated');
      }
    });
  });
});

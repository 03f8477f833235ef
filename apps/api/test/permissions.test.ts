import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionsOf } from '@zonewright/api-description';
import { defaultTokenPermissions, type TokenPermission, tokenPermissions } from '@zonewright/core';
import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import { root } from './readme-support.ts';
import { aMember, anApiToken, aVerifiedUser, aZone, type Role, roles, type User, unique } from './support/arrange.ts';
import { type Client, clientOf, exchanged, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';

/** What a request came to, as far as permissions are concerned. */
type Decision = 'allowed' | 'forbidden' | 'permission-missing' | 'session-required';

const decisions: Readonly<Record<string, Decision>> = {
  '/errors/forbidden': 'forbidden',
  '/errors/permission-missing': 'permission-missing',
  '/errors/session-required': 'session-required',
};

/** Requests that change nothing even if they are allowed: their version is wrong, or their body cannot be parsed. */
const harmless = (route: Route, ids: Ids) => {
  const type = route.method === 'patch' ? 'application/merge-patch+json' : 'application/json';
  const headers = route.method === 'get' ? {} : { 'if-match': '"another"' };
  if (route.readsBody === 'never') return { headers };
  // Only a readable body tells in which organization.
  const body =
    named(route) === 'POST /api/zones'
      ? { name: `zone-${unique()}`, organization: ids['organizations/:id'] }
      : undefined;
  return { headers: { ...headers, 'content-type': type }, body: body === undefined ? '[' : JSON.stringify(body) };
};

const isOuter = (part: string): boolean => /^(?:organizations|zones)\/:/.test(part);
const missing = (id: string | number) => (typeof id === 'number' ? 4711 : '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1f');

type Ids = Awaited<ReturnType<typeof someOfEverything>>;
// Edges have credentials of their own.
const protectedRoutes = routes.filter(({ access }) => access !== 'public' && access !== 'edge');

/** The list of the guide: which permissions and roles each request needs. */
const documented = (): readonly string[] => {
  const [, section = ''] = readFileSync(join(root, 'docs/api-guide.md'), 'utf8').split('\n## Permissions\n');
  const [list = ''] = section.split('\n\nA few rules:\n');
  return list
    .split('\n- ')
    .slice(1)
    .map((entry) => entry.replaceAll(/\s+/g, ' '));
};

describe('The permissions of API tokens', function () {
  this.timeout(90_000);
  let service: MemoryService;
  let owner: User;
  let ids: Ids;
  /** The same organization and zone, with nothing in them: permissions are checked first. */
  let nowhere: Ids;
  const tokens = new Map<string, string>();
  const tokenOf = (role: Role, permission: TokenPermission) =>
    tokens.get(`${role} ${permission}`) ?? expect.fail(`no token of ${role} for ${permission}`);

  before(async () => {
    service = await openMemoryService();
    owner = await aVerifiedUser(service);
    ids = await someOfEverything(service, owner);
    nowhere = Object.fromEntries(Object.entries(ids).map(([part, id]) => [part, isOuter(part) ? id : missing(id)]));
    for (const role of roles) {
      const member = await aMember(service, owner, role);
      for (const permission of tokenPermissions) {
        const { plainToken } = await anApiToken(member, { permissions: [permission] });
        tokens.set(`${role} ${permission}`, plainToken);
      }
    }
  });
  after(() => service.close());

  const send = (client: Client, route: Route): Promise<Reply> =>
    client.send(route.method.toUpperCase(), addressOf(route, ids), harmless(route, ids));

  /** Without the usual comparison with the OpenAPI document, which takes longer than the request. */
  const answerOn = async (token: string, route: Route) => {
    const { headers, body } = harmless(route, ids);
    const call = {
      headers: { accept: '*/*', ...headers, 'x-api-token': token },
      ...(body === undefined ? {} : { body }),
    };
    const target = new URL(addressOf(route, nowhere), service.url);
    const { status, text } = await exchanged(target, route.method.toUpperCase(), call);
    expect(status, text).not.to.be.oneOf([401, 429, 500, 503]);
    return { status, text };
  };

  const decisionOn = async (token: string, route: Route): Promise<Decision> => {
    const { status, text } = await answerOn(token, route);
    return status === 403 ? (decisions[(JSON.parse(text) as { type: string }).type] ?? expect.fail(text)) : 'allowed';
  };

  /** What each role may do with every permission, and the permissions that are enough for what it may do. */
  const observed = async (route: Route) => {
    const byRole = new Map<Role, Decision>();
    const needed = new Set<TokenPermission>(['admin']);
    for (const role of roles) byRole.set(role, await decisionOn(tokenOf(role, 'admin'), route));
    const expectFor = async (role: Role, permission: TokenPermission) => {
      const decision = await decisionOn(tokenOf(role, permission), route);
      if (role === 'owner' && decision !== 'permission-missing') needed.add(permission);
      const expected = needed.has(permission) ? byRole.get(role) : 'permission-missing';
      expect(decision, `${named(route)} as ${role} with ${permission}`).to.equal(expected);
    };
    for (const permission of defaultTokenPermissions) await expectFor('owner', permission);
    // The least role has no permission that the owner lacks. The roles between these are refused for the same reasons.
    const other = defaultTokenPermissions.find((permission) => !needed.has(permission));
    for (const permission of defaultTokenPermissions) {
      if (needed.has(permission) || permission === other) await expectFor('viewer', permission);
    }
    // Memory copies its tables for each write, and each refusal is recorded.
    service.inTables(({ auditLog }) => auditLog.clear());
    return { needed, byRole };
  };

  it('and roles decide over every request as the API guide says', async () => {
    const byPath = new Map<string, { readonly need: string; readonly path: string; readonly methods: string[] }>();
    for (const route of protectedRoutes) {
      const { needed, byRole } = await observed(route);
      const [need, path] = [needOf(route, needed, byRole), pathOf(route)];
      const { methods } = byPath.get(`${need} ${path}`) ?? { methods: [] };
      const method = route.method.toUpperCase();
      byPath.set(`${need} ${path}`, { need, path, methods: [...new Set([...methods, method])] });
    }
    const byNeed = new Map<string, string[]>();
    for (const { need, path, methods } of byPath.values()) {
      byNeed.set(need, [...(byNeed.get(need) ?? []), `\`${methods.join(', ')} ${path}\``]);
    }
    const list = [...byNeed].map(([need, requests]) => `${need}: ${requests.join(', ')}`);
    expect(documented().join('\n')).to.equal(list.join('\n'));
  });

  /** The address of a route; the lists of rules share theirs. */
  const pathOf = (route: Route): string =>
    route.path
      .replaceAll(/:(\w+)/g, '{$1}')
      .replace(/\/(?:configuration-rules|rewrite-rules|access-rules|security\/scenarios)(?=\/|$)/, '/{rules}');

  /** What a route needs: permissions, of which one is enough, and roles. */
  const needOf = (route: Route, needed: ReadonlySet<TokenPermission>, byRole: ReadonlyMap<Role, Decision>): string => {
    const allowed = roles.filter((role) => byRole.get(role) === 'allowed');
    const isOfSession = [...byRole.values()].includes('session-required');
    expect(route.permission === 'session', named(route)).to.equal(isOfSession);
    if (isOfSession) return 'a session';
    const permissions = tokenPermissions.filter((each) => needed.has(each));
    const stated = permissionsOf(route.permission);
    const isEnough = (each: TokenPermission) => each === 'admin' || stated.every((list) => list.includes(each));
    expect(permissions, named(route)).to.have.members(tokenPermissions.filter(isEnough));
    const lists = stated.map((list) => list.map((each) => `\`${each}\``).join(', '));
    const needs = stated.length === 0 ? 'any' : lists.join(' and one of ');
    return `${needs}; ${allowed.length === roles.length ? 'all' : allowed.join(', ')}`;
  };

  it('are named by the refusal', async () => {
    const auditor = clientOf(service.url, { 'x-api-token': tokenOf('owner', 'audit:read') });
    const reply = await auditor.get('/api/zones');
    expectProblem(reply, 403, 'permission-missing');
    expect(reply.json()).to.deep.include({
      detail: 'The API token lacks the permission zones:read.',
      permission: 'zones:read',
    });
  });

  it('that refusals name are enough, added to those that the token has', async () => {
    for (const route of protectedRoutes.filter(({ permission }) => permissionsOf(permission).length > 0)) {
      const others = permissionsOf(route.permission).flat();
      const held: TokenPermission[] = [defaultTokenPermissions.find((each) => !others.includes(each))!];
      const missing = async (): Promise<TokenPermission | undefined> => {
        const { plainToken } = await anApiToken(owner, { permissions: held });
        const { status, text } = await answerOn(plainToken, route);
        const { type, permission } = JSON.parse(text === '' ? '{}' : text) as Record<string, TokenPermission>;
        return status === 403 && String(type) === '/errors/permission-missing' ? permission : undefined;
      };
      for (let named = await missing(); named !== undefined; named = await missing()) {
        expect(held, `${route.method} ${route.path}`).not.to.include(named);
        held.push(named);
      }
      // One for each list.
      expect(held.length - 1, `${route.method} ${route.path}`).to.be.within(1, permissionsOf(route.permission).length);
      service.inTables(({ apiTokens }) => apiTokens.clear());
    }
  });

  describe('for some zones', () => {
    let limited: Client;
    let inside: string;
    before(async () => {
      inside = (await aZone(owner)).id;
      limited = await anApiToken(owner, { zones: [`/api/zones/${inside}`] });
    });

    it('hide everything in other zones: 404', async () => {
      for (const route of protectedRoutes.filter(({ path }) => path.startsWith('/api/zones/:'))) {
        const reply = await send(limited, route);
        expect(reply.status, `${named(route)}: ${reply.text}`).to.equal(404);
      }
    });

    it('show these zones in lists, with their total', async () => {
      for (const query of ['', '?q=zone', '?order[name]=asc', '?tag=prod&order[tag]=desc&order[name]=asc']) {
        const reply = await limited.get(`/api/zones${query}`);
        expect((reply.json() as { id: string }[]).map(({ id }) => id)).to.deep.equal([inside]);
        expect(reply.headers.get('x-total-count')).to.equal('1');
      }
      const path = `/api/organizations/${owner.organization}/deleted-zones`;
      expect((await owner.get(path)).json()).not.to.deep.equal([]);
      expect((await limited.get(path)).json()).to.deep.equal([]);
      expectProblem(await limited.get(`${path}/${ids['deleted-zones/:zoneId']}`), 404, 'not-found');
    });

    it('show no events of other zones in the audit log', async () => {
      const path = `/api/organizations/${owner.organization}/audit-log?action=zone.created&itemsPerPage=100`;
      const auditor = await anApiToken(owner, { zones: [inside], permissions: ['audit:read'] });
      const entries = (await auditor.get(path)).json();
      const zones = (entries as { objects: { zone?: string } }[]).flatMap(({ objects }) => objects.zone ?? []);
      expect([...new Set(zones)]).to.deep.equal([inside]);
    });

    it('allow no new zones', async () => {
      const draft = { name: `zone-${unique()}`, organization: owner.organization };
      expectProblem(await limited.post('/api/zones', draft), 403, 'forbidden');
    });

    it('leave nothing once these are deleted', async () => {
      const { id } = await aZone(owner);
      const last = await anApiToken(owner, { zones: [id] });
      expect((await owner.delete(`/api/zones/${id}`)).status).to.equal(204);
      expect((await last.get('/api/zones')).json()).to.deep.equal([]);
      expectProblem(await last.get(`/api/zones/${inside}`), 404, 'not-found');
    });
  });
});

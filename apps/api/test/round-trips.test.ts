import { expect } from 'chai';
import {
  anOriginServer,
  aVerifiedUser,
  aZone,
  loadBalancersOf,
  originServerMembers,
  originServersOf,
  type User,
  unique,
} from './support/arrange.ts';
import { openService, type TestService } from './support/service.ts';
import {
  aRuleIn,
  basicAuthUsersOf,
  listOf,
  minimalMembers,
  orderedLists,
  ruleLists,
  someHash,
  tagOf,
} from './support/zone-contents.ts';

type Body = Readonly<Record<string, unknown>>;

/** An object that can be created, read and sent back. */
interface Case {
  readonly what: string;
  /** Where and from what it is created; names and keys are unique. */
  readonly made: () => Promise<{ readonly path: string; readonly body: Body }>;
  /** What must differ in a second object created from a read of the first. */
  readonly another: () => Promise<{ readonly path: string; readonly changes: Body }>;
}

const ruleBodies: Readonly<Record<keyof typeof ruleLists, readonly Body[]>> = {
  rewriteRules: [
    {},
    { type: 'redirect' },
    { type: 'redirect', statusCode: 308, description: 'two\nlines', preserveQueryString: false, enabled: false },
    { operator: 'regex', sourcePattern: '^/shop(/.*)$', target: '/$1' },
  ],
  configurationRules: [
    {},
    {
      stopOnMatch: true,
      conditions: {
        logic: 'ANY',
        conditions: [
          { field: 'header', operator: 'exists', target: 'X-Any' },
          { field: 'path', operator: 'in', value: '/a,/b' },
        ],
      },
      settingsOverrides: {
        cacheControlPublicMaxAgeOverride: 5,
        headersResponseSet: [{ name: 'X-Own', value: 'yes' }],
        cachingDynamicCacheKey: { varyByCookie: ['lang'] },
      },
    },
  ],
  accessRules: [{}, { action: 'skip', skipTargets: ['waf'], stopOnMatch: true }],
  securityScenarios: [
    {},
    { type: 'leaky', capacity: 5, leakSpeedSeconds: 0.5, testing: true },
    { type: 'counter', capacity: 5, durationSeconds: 60, distinct: 'uri', blackholeSeconds: 0 },
  ],
};

describe('Returned resources', function () {
  this.timeout(30_000);
  let service: TestService;
  let ada: User;

  before(async () => {
    service = await openService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const rules: readonly Case[] = (Object.keys(ruleLists) as (keyof typeof ruleLists)[]).flatMap((list) =>
    ruleBodies[list].map((members): Case => {
      const freshList = async () => listOf(await aZone(ada), list);
      return {
        what: `one of ${list}, ${JSON.stringify(members).slice(0, 60)},`,
        made: async () => ({ path: await freshList(), body: { ...minimalMembers(list), ...members } }),
        // With the same conditions it would be a duplicate in the same zone.
        another: async () => ({
          path: await freshList(),
          changes: { name: `rule-${unique()}`, definition: undefined, zone: undefined },
        }),
      };
    }),
  );

  const zones: readonly Case[] = [
    {},
    { tag: 'dev', zone_settings: { backendPortOverride: 8080, customPagesErrorHtml: '<p>\r\né</p>' } },
    { zone_settings: { cachingStaticCacheKey: { varyByQueryString: ['a'] }, headersResponseRemove: ['X-Old'] } },
  ].map((members) => ({
    what: `a zone, ${JSON.stringify(members).slice(0, 60)},`,
    made: async () => ({
      path: '/api/zones',
      body: { name: `zone-${unique()}`, organization: ada.organization, ...members },
    }),
    another: async () => ({ path: '/api/zones', changes: { name: `zone-${unique()}` } }),
  }));

  const others: readonly Case[] = [
    ...[{}, { protocol: 'http', port: 8080, requestHostname: 'www.example.com' }].map(
      (members): Case => ({
        what: `an origin server, ${JSON.stringify(members)},`,
        made: async () => ({ path: originServersOf(ada), body: { ...originServerMembers(), ...members } }),
        another: async () => ({ path: originServersOf(ada), changes: originServerMembers() }),
      }),
    ),
    ...[{}, { method: 'ip_hash', requestHostname: 'www.example.com' }].map(
      (members): Case => ({
        what: `a load balancer, ${JSON.stringify(members)},`,
        made: async () => {
          const origins = [
            { originServer: (await anOriginServer(ada)).id },
            { originServer: (await anOriginServer(ada)).id, weight: 7, enabled: false },
          ];
          return { path: loadBalancersOf(ada), body: { name: `balancer ${unique()}`, ...members, origins } };
        },
        another: async () => ({ path: loadBalancersOf(ada), changes: { name: `balancer ${unique()}` } }),
      }),
    ),
    ...[{}, { comment: 'two\nlines' }].map((members): Case => {
      const freshUsers = async () => basicAuthUsersOf(await aZone(ada));
      return {
        what: `a basic-auth user, ${JSON.stringify(members)},`,
        made: async () => ({
          path: await freshUsers(),
          body: { username: `user-${unique()}`, passwordHash: someHash, ...members },
        }),
        // Passwords are never returned.
        another: async () => ({ path: await freshUsers(), changes: { passwordHash: someHash, zone: undefined } }),
      };
    }),
  ];

  // JSON-LD contains everything that JSON does.
  const accept = { accept: 'application/ld+json' };
  for (const { what, made, another } of [...zones, ...rules, ...others]) {
    it(`of ${what} can be sent back as a patch, and as a new one`, async () => {
      const first = await made();
      const created = await ada.post(first.path, first.body, accept);
      expect(created.status, created.text).to.equal(201);
      const location = created.headers.get('location') ?? '';
      if (first.path === '/api/zones')
        for (const list of orderedLists) await aRuleIn(ada, { id: location.slice('/api/zones/'.length) }, list);
      const read = await ada.get(location, accept);
      const tag = read.headers.get('etag');
      const patched = await ada.patch(location, read.json(), accept);
      expect(patched.status, patched.text).to.equal(200);
      expect(await tagOf(ada, location, accept)).to.equal(tag);
      const second = await another();
      const copied = await ada.post(second.path, { ...(read.json() as Body), ...second.changes }, accept);
      expect(copied.status, copied.text).to.equal(201);
      const copy = await ada.get(copied.headers.get('location') ?? '', accept);
      expect(contentOf(copy.json(), second.changes)).to.deep.equal(contentOf(read.json(), second.changes));
    });
  }

  for (const list of orderedLists) {
    it(`of ${list} can be sent back as a whole list`, async () => {
      const path = listOf(await aZone(ada), list);
      for (const members of ruleBodies[list]) {
        const { status, text } = await ada.post(path, { ...minimalMembers(list), ...members });
        expect(status, text).to.equal(201);
      }
      const read = await ada.get(path, accept);
      const tag = read.headers.get('etag') ?? '';
      const put = await ada.put(path, read.json(), { ...accept, 'if-match': tag });
      expect(put.status, put.text).to.equal(200);
      expect(put.headers.get('etag')).to.equal(tag);
    });
  }

  /** The members that the author of an item controls. */
  function contentOf(item: unknown, changes: Body): Body {
    const contents = ['usage', ...Object.keys(ruleLists)];
    const service = ['@id', '@context', 'id', 'zone', 'createdAt', 'updatedAt', 'banToken', 'definition'];
    const left = Object.entries(item as Body).filter(
      ([member]) => ![...service, ...contents].includes(member) && !(member in changes),
    );
    return Object.fromEntries(left);
  }
});

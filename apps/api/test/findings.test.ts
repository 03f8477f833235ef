import { analysisBusy } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { anApiToken, anOriginServer, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aRuleIn, type RuleListName, ruleLists } from './support/zone-contents.ts';

type Members = Readonly<Record<string, unknown>>;

interface FindingBody {
  readonly id: string;
  readonly code: string;
  readonly severity: string;
  readonly rules: readonly string[];
  readonly members: readonly string[];
  readonly because?: readonly string[];
  readonly missing?: readonly string[];
  readonly witness?: Members;
  readonly counterpart?: Members;
}

interface FindingsBody {
  readonly complete: boolean;
  readonly totalItems: number;
  readonly member: readonly FindingBody[];
  readonly view: Readonly<Record<string, string>>;
}

/** Parses `field operator value`; a field's target follows a colon. */
function condition(text: string) {
  const [, field, target, operator, value] = /^(\w+)(?::(\w+))? (\w+)(?: (.*))?$/.exec(text) ?? expect.fail(text);
  return { field, operator, ...(target === undefined ? {} : { target }), ...(value === undefined ? {} : { value }) };
}
const all = (...texts: readonly string[]) => ({ logic: 'and', conditions: texts.map(condition) });
const any = (...texts: readonly string[]) => ({ logic: 'or', conditions: texts.map(condition) });
const redirect = (sourcePattern: string, target: string) => ({ sourcePattern, target, type: 'redirect' });

/** Rules by name that trigger each code once; names show what each finding is about. */
const rules: Readonly<Record<RuleListName, Readonly<Record<string, Members>>>> = {
  accessRules: {
    never: { conditions: all('uri equals /a', 'country equals DE', 'uri equals /b') },
    always: { conditions: any('uri starts_with /', 'method equals OPTIONS'), action: 'skip', skipTargets: ['waf'] },
    covers: { conditions: all('uri starts_with /admin/') },
    unreachable: { conditions: all('uri equals /admin/users') },
  },
  rewriteRules: {
    loop: redirect('/loop', '/pool'),
    pool: redirect('/pool', '/loop'),
    old: { operator: 'starts_with', sourcePattern: '/old/', target: '/new/' },
  },
  configurationRules: {
    first: { conditions: all('uri starts_with /shop/'), settingsOverrides: { cachingStaticEnabled: false } },
    equal: { conditions: all('uri matches ^/shop/'), settingsOverrides: { cachingDefaultTtl: 9 } },
    dead: { conditions: all('uri equals /blog/a'), settingsOverrides: { cachingDefaultTtl: 1 } },
    killer: { conditions: all('uri starts_with /blog/'), settingsOverrides: { cachingDefaultTtl: 2 } },
    sets: {
      conditions: all('uri starts_with /img/'),
      settingsOverrides: { headersResponseSet: [{ name: 'X-A', value: '1' }] },
    },
    contradicts: { conditions: all('extension equals png'), settingsOverrides: { headersResponseRemove: ['x-a'] } },
    hazard: { conditions: all('cookie:beta exists'), settingsOverrides: { minifyHtml: true } },
    hidden: { conditions: all('uri starts_with /old/'), settingsOverrides: { cachingDefaultTtl: 3 } },
  },
  securityScenarios: {},
};

describe('Findings', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;
  let path: string;
  /** IRIs of rules by name. */
  const addressOf: Record<string, string> = {};

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    const { id } = await anOriginServer(ada);
    zone = await aZone(ada, {
      zone_settings: { defaultBackend: { type: 'origin', id }, cachingDynamicEnabled: true },
    });
    path = `/api/zones/${zone.id}/findings`;
    for (const [list, named] of Object.entries(rules) as readonly (readonly [
      RuleListName,
      typeof rules.accessRules,
    ])[]) {
      for (const [name, members] of Object.entries(named)) {
        const made = await aRuleIn(ada, zone, list, { name, ...members });
        addressOf[name] = `/api/zones/${zone.id}/${ruleLists[list]}/${made.id}`;
      }
    }
  });
  after(() => service.close());

  const read = async (query = ''): Promise<FindingsBody> => {
    const reply = await ada.get(`${path}${query}`);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as FindingsBody;
  };
  const nameOf = (address: string) => Object.keys(addressOf).find((name) => addressOf[name] === address) ?? address;
  const idOf = (name: string) => addressOf[name]?.split('/').at(-1) ?? expect.fail(name);

  it('are sorted by severity, list, position and code, and name rules by IRI', async () => {
    const { complete, totalItems, member } = await read();
    expect(
      member.map(({ severity, code, rules: of, because = [] }) =>
        [severity, code, of.map(nameOf).join(), because.map(nameOf).join()].join(' ').trim(),
      ),
    ).to.deep.equal([
      'error rule.neverMatches never',
      'error rule.unreachable unreachable,covers covers',
      'error redirect.loop loop,pool',
      'warning override.dead dead,killer killer',
      'warning settings.contradiction contradicts,sets',
      'warning cacheKey.hazard hazard',
      'warning rule.hiddenByRewrite hidden,old old',
      'info rule.alwaysMatches always',
      'info rule.equal equal,first',
    ]);
    expect([complete, totalItems]).to.deep.equal([true, 9]);
    expect(member.find(({ code }) => code === 'rule.neverMatches')?.members).to.deep.equal(
      [0, 2].map((index) => `accessRules.items.${idOf('never')}.conditions.conditions[${index}]`),
    );
    for (const { id } of member) expect(id).to.match(/^[0-9a-f]{32}$/);
  });

  it('have witnesses that can be evaluated as they are', async () => {
    const { witness } = (await read()).member.find(({ code }) => code === 'redirect.loop') ?? expect.fail();
    const reply = await ada.post(`/api/zones/${zone.id}/evaluation`, { request: witness });
    expect(reply.json(), reply.text).to.include({ disposition: 'redirect', location: '/pool' });
  });

  it('have the same members in both formats, and JSON-LD keys on demand', async () => {
    const plain = await read();
    expect(Object.keys(plain)).to.deep.equal([
      'zone',
      'revision',
      'draft',
      'analysisVersion',
      'complete',
      'totalItems',
      'member',
      'view',
    ]);
    expect(plain).to.deep.include({ zone: `/api/zones/${zone.id}`, revision: 16, draft: false });
    expect(Object.keys(plain.member.find(({ code }) => code === 'cacheKey.hazard') ?? {})).to.deep.equal([
      'id',
      'code',
      'severity',
      'verdict',
      'message',
      'rules',
      'members',
      'missing',
      'witness',
      'counterpart',
    ]);
    const reply = await ada.get(path, { accept: 'application/ld+json' });
    expect(reply.json()).to.deep.equal({
      '@context': '/api/contexts/Findings',
      '@id': path,
      '@type': 'Findings',
      ...plain,
      member: plain.member.map((finding) => ({ '@type': 'Finding', ...finding })),
    });
  });

  it('are filtered by code, severity, verdict and rule, and paged', async () => {
    const filters: readonly (readonly [query: string, codes: readonly string[]])[] = [
      ['code=rule.equal', ['rule.equal']],
      ['code=rule.equal&code[]=override.dead', ['override.dead', 'rule.equal']],
      ['severity[]=info&code=redirect.loop', []],
      ['verdict=undecided', []],
      [`rule=${idOf('killer')}&severity[]=error&severity[]=warning`, ['override.dead']],
      [`verdict=proven&itemsPerPage=2&page=2`, ['redirect.loop', 'override.dead']],
    ];
    for (const [query, codes] of filters) {
      expect((await read(`?${query}`)).member.map(({ code }) => code)).to.deep.equal(codes);
    }
  });

  it('keep the filters in paging links', async () => {
    const { totalItems, view } = await read('?verdict=proven&itemsPerPage=4&page=2&other=1');
    const at = (page: number) => `${path}?verdict=proven&itemsPerPage=4&page=${page}`;
    expect(totalItems).to.equal(9);
    expect(view).to.deep.equal({
      '@id': at(2),
      '@type': 'PartialCollectionView',
      first: at(1),
      last: at(3),
      previous: at(1),
      next: at(3),
    });
  });

  it('answer 422 to filters that name nothing, and 400 to a page that is none', async () => {
    const refused: readonly (readonly [query: string, status: number, violation: string])[] = [
      ['code=rule.other', 422, 'code: value.choice'],
      ['code[]=rule.equal&code[]=x', 422, 'code[][1]: value.choice'],
      ['severity=fatal', 422, 'severity: value.choice'],
      ['verdict=refuted', 422, 'verdict: value.choice'],
      ['rule=x', 422, 'rule: rule.unknown'],
      ['page=0', 400, 'page: number.range'],
    ];
    for (const [query, status, violation] of refused) {
      const slug = status === 422 ? 'validation-failed' : 'invalid-query';
      expectProblem(await ada.get(`${path}?${query}`), status, slug, [violation]);
    }
  });

  it('have a strong entity tag of their content', async () => {
    const reply = await ada.get(path);
    const tag = reply.headers.get('etag') ?? expect.fail();
    expect(tag).to.match(/^"[\w-]{43}"$/);
    expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
    expect((await ada.get(path, { 'if-none-match': tag })).status).to.equal(304);
    expect((await ada.get(`${path}?severity=info`)).headers.get('etag')).not.to.equal(tag);
  });

  it('GET /api/zones/{zoneId}/revisions/{number}/findings answers 200 with those of a revision', async () => {
    const reply = await ada.get(`/api/zones/${zone.id}/revisions/2/findings`);
    expect(reply.json()).to.deep.include({ revision: 2, totalItems: 1 });
  });
});

describe('The limit on analyses', () => {
  it('counts per user', async () => {
    const limits = defaultLimits();
    const analysis = { points: 2, seconds: 60 };
    const service = await openMemoryService({ ...limits, rateLimits: { ...limits.rateLimits, analysis } });
    const user = await aVerifiedUser(service);
    const path = `/api/zones/${(await aZone(user)).id}`;
    const token = await anApiToken(user);
    expect((await user.get(`${path}/findings`)).status).to.equal(200);
    expect((await token.get(`${path}/revisions/1/findings`)).status).to.equal(200);
    expectProblem(await user.get(`${path}/findings`), 429, 'too-many-requests');
    await service.close();
  });
});

describe('Analyses while all threads are busy', () => {
  it('are rejected with 503, and can be retried', async () => {
    const busy = () => errAsync(analysisBusy(5));
    const analyses = { findings: busy, behaviour: busy, checks: busy, close: () => Promise.resolve() };
    const service = await openMemoryService({}, analyses);
    const user = await aVerifiedUser(service);
    const zone = `/api/zones/${(await aZone(user)).id}`;
    for (const path of [`${zone}/findings`, `${zone}/revisions/1/behaviour/1`]) {
      const reply = await user.get(path);
      expectProblem(reply, 503, 'service-unavailable');
      expect(reply.headers.get('retry-after')).to.equal('5');
    }
    await service.close();
  });
});

import { expect } from 'chai';
import { compile, parseConfiguration, parseFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { all, documentOf, evaluate, originServer } from '../zones.ts';

const url = 'https://a.example:8443/x?y';
const unknownCountry = { url, country: undefined };
const servers = ['1', '2', '3'].map((number) => ({
  ...originServer,
  id: `ORIGIN-${number}`,
  ...(number === '2' ? { requestHostname: 'two.example' } : {}),
}));
const balancer = {
  id: 'lb',
  method: 'round_robin',
  origins: [
    { originServer: 'origin-1', weight: 5, enabled: true },
    { originServer: 'origin-2' },
    { originServer: 'origin-3', weight: 1, enabled: false },
    { originServer: 'gone', weight: 1, enabled: true },
  ],
};
const backends = {
  originServers: servers,
  loadBalancers: [
    balancer,
    { ...balancer, id: 'named', requestHostname: 'lb.example' },
    { ...balancer, id: 'empty', origins: [] },
  ],
};
const reference = (type: string, id: string) => ({ defaultBackend: { type, id } });
const maybe = (settingsOverrides: object) => [{ conditions: all('country equals DE'), settingsOverrides }];
const originOf = (settings: object, facts: object | string = url, rules: Record<string, unknown>[] = []) =>
  evaluate({ settings: { ...settings }, rules, backends }, facts as string).origin;

describe('the origin', () => {
  it('is a single server, by either name of the kind', () => {
    for (const type of ['origin_server', 'origin']) {
      expect(originOf(reference(type, 'Origin-2'))).to.deep.equal({
        backend: 'origin-2',
        servers: [
          {
            originServer: 'origin-2',
            protocol: 'https',
            address: 'origin.example.net',
            port: 443,
            host: 'two.example',
            weight: 1,
          },
        ],
        target: '/x?y',
        headers: { remove: [], set: [] },
      });
    }
  });

  it('is one of the enabled servers of a load balancer', () => {
    const origin = originOf({ ...reference('load_balancer', 'lb'), backendPortOverride: 8080 });
    expect(origin).to.include({ backend: 'lb', method: 'round_robin' });
    expect(origin?.servers?.map(({ originServer: id, port, host, weight }) => [id, port, host, weight])).to.deep.equal([
      ['origin-1', 8080, 'a.example', 5],
      ['origin-2', 8080, 'two.example', 1],
    ]);
    expect(originOf(reference('load_balancer', 'named'))?.servers?.map(({ host }) => host)).to.deep.equal([
      'lb.example',
      'two.example',
    ]);
  });

  it('is missing if the backend does not exist or has no enabled server', () => {
    for (const settings of [
      reference('origin', 'gone'),
      reference('load_balancer', 'gone'),
      reference('load_balancer', 'empty'),
    ]) {
      expect(evaluate({ settings, backends }, url)).to.include({ disposition: 'noBackend', status: 502 });
    }
  });

  it('omits what has several possible values', () => {
    const settings = reference('origin', 'origin-1');
    expect(originOf(settings, unknownCountry, maybe(reference('load_balancer', 'lb')))).to.have.all.keys(
      'target',
      'headers',
    );
    expect(originOf(settings, unknownCountry, maybe({ backendPortOverride: 1 }))).to.have.all.keys(
      'backend',
      'target',
      'headers',
    );
    expect(
      originOf(settings, unknownCountry, maybe({ headersRequestSet: [{ name: 'a', value: 'b' }] })),
    ).to.not.have.property('headers');
    expect(
      originOf(
        settings,
        { ...unknownCountry, headers: [{ name: 'Authorization', value: 'Basic a' }] },
        maybe({ basicAuth: { enabled: true } }),
      ),
    ).to.not.have.property('headers');
  });

  it('may be missing if one of the possible backends is', () => {
    const rules = maybe(reference('origin', 'gone'));
    const answer = evaluate({ rules, settings: reference('origin', 'origin-1'), backends }, unknownCountry);
    expect(answer.dispositions).to.deep.equal(['noBackend', 'serve']);
    expect(answer).to.include({ disposition: 'unknown' }).and.include.keys('origin', 'response');
  });
});

describe('the response', () => {
  const responseOf = (settings: object, facts: object | string = url, rules: Record<string, unknown>[] = []) =>
    evaluate({ settings: { ...reference('origin', 'origin-1'), ...settings }, rules, backends }, facts as string)
      .response;
  const changed = {
    cacheControlPublicMaxAgeOverride: 60,
    debugHeadersEnabled: true,
    cachingCustomCacheTagHeaders: [{ header: 'X-Tags', delimiter: ',' }],
  };

  it('is changed in this order', () => {
    const operations = {
      headersResponseRemove: ['A'],
      headersResponseSet: [{ name: 'B', value: '1' }],
      headersResponseAdd: [{ name: 'C', value: '2' }],
    };
    const response = responseOf({ ...changed, ...operations });
    expect(response).to.deep.equal({
      strip: ['X-Tags'],
      cacheControl: 'public, max-age=60',
      remove: ['A'],
      set: [{ name: 'B', value: '1' }],
      add: [{ name: 'C', value: '2' }],
      debug: 'true',
    });
    expect(Object.keys(response ?? {})).to.deep.equal(['strip', 'cacheControl', 'remove', 'set', 'add', 'debug']);
  });

  it('keeps only its header operations if the zone is off', () => {
    expect(responseOf({ ...changed, enabled: false })).to.deep.equal({
      strip: [],
      cacheControl: null,
      remove: [],
      set: [],
      add: [],
      debug: 'false',
    });
  });

  it('keeps its `Cache-Control` if the origin gets credentials of the client', () => {
    const basicAuth = { basicAuth: { enabled: true } };
    const facts = { url, headers: [{ name: 'Authorization', value: 'Basic YTpi' }] };
    expect(responseOf(changed, facts)).to.include({ cacheControl: null });
    expect(responseOf({ ...changed, ...basicAuth }, facts)).to.include({ cacheControl: 'public, max-age=60' });
    expect(responseOf(changed, { url, unknown: ['headers'] })).to.not.have.property('cacheControl');
    expect(responseOf({}, { url, unknown: ['headers'] })).to.include({ cacheControl: null });
  });

  it('omits what is unknown', () => {
    expect(responseOf(changed, unknownCountry, maybe({ enabled: false }))).to.deep.equal({
      remove: [],
      set: [],
      add: [],
      debug: 'unknown',
    });
    expect(responseOf({}, unknownCountry, maybe({ enabled: false }))).to.include({ cacheControl: null });
    const rules = maybe({
      cachingCustomCacheTagHeaders: [],
      cacheControlPublicMaxAgeOverride: 5,
      headersResponseRemove: ['a'],
    });
    expect(responseOf({}, unknownCountry, rules)).to.have.all.keys('set', 'add', 'debug');
    expect(responseOf({ stripCacheTagHeaders: false }, unknownCountry, rules)).to.deep.include({ strip: [] });
  });
});

describe('an answer', () => {
  it('names rules and backends as requested, and shows the request', () => {
    const draft = { rules: [{ conditions: all('method equals GET'), settingsOverrides: { minifyHtml: true } }] };
    const configuration = okOf(parseConfiguration(documentOf(draft), { originServers: [originServer] }));
    const engine = compile(configuration, {
      names: {
        rule: (list, id) => `/${list}/${id}`,
        originServer: (id) => `/servers/${id}`,
        loadBalancer: (id) => `/balancers/${id}`,
      },
    });
    const answer = engine.evaluate(okOf(parseFacts({ url, asn: null, status: 200, unknown: ['headers'] })));
    expect(answer.settings?.['minifyHtml']).to.include({ from: '/configurationRules/rule1' });
    expect(answer.origin).to.include({ backend: '/servers/origin-1' });
    expect(answer.request).to.deep.equal({
      method: 'GET',
      scheme: 'https',
      host: 'a.example',
      path: '/x',
      query: 'y',
      form: 'origin',
      asn: null,
      status: 200,
      unknown: ['ip', 'country', 'cookies', 'headers'],
    });
    expect(answer.phases?.map(({ phase }) => phase)).to.deep.equal([
      'accessRules',
      'rewriteRules',
      'configurationRules',
      'security',
      'basicAuth',
      'maintenance',
    ]);
    expect(JSON.parse(JSON.stringify(answer))).to.deep.equal(answer);
  });

  it('is the same for the same facts, whatever was evaluated before', () => {
    const draft = { access: [{ action: 'block', conditions: all('uri matches (a|b)*c') }] };
    const engine = compile(okOf(parseConfiguration(documentOf(draft), {})));
    const facts = ['https://a/ab', 'https://a/abc', 'https://a/ab'].map((each) => okOf(parseFacts({ url: each })));
    const [first, , third] = facts.map((each) => engine.evaluate(each));
    expect(first).to.deep.equal(third);
  });
});

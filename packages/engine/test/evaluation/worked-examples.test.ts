import { expect } from 'chai';
import { all, evaluate, outcomesOf, phaseOf, stepsOf, type ZoneDraft } from '../zones.ts';

const none: ZoneDraft = {};
const block = (text: string) => ({ action: 'block', conditions: all(text) });
const http = 'http://a.example';
const rfc3986 = { pathNormalization: 'rfc3986' };

describe('worked examples of evaluation', () => {
  it('1: normalizes host, path and query, and requests exactly that from the origin', () => {
    const answer = evaluate(none, 'https://Shop.Example.com.:8443/a/%2e%2E/b%7e?x=%7E+%2f');
    expect(answer.request).to.include({ host: 'shop.example.com', path: '/b~', query: 'x=~+%2F', form: 'origin' });
    expect(answer.disposition).to.equal('serve');
    expect(answer.origin?.target).to.equal('/b~?x=~+%2F');
  });

  it('2: rejects a target with a fragment', () => {
    expect(evaluate(none, { scheme: 'https', authority: 'a.example', target: '/a#b' })).to.deep.equal({
      constantsVersion: 1,
      disposition: 'rejected',
      dispositions: ['rejected'],
      status: 400,
      reason: 'target.character',
    });
  });

  it('3: rejects an absolute-form with the other scheme', () => {
    const facts = { scheme: 'https', authority: 'a.example', target: 'HTTP://a.example/x' };
    expect(evaluate(none, facts)).to.include({ disposition: 'rejected', reason: 'target.scheme' });
  });

  it('4: treats the asterisk-form as a path that is never cached', () => {
    const answer = evaluate(none, { scheme: 'https', authority: 'a.example', target: '*', method: 'OPTIONS' });
    expect(answer.request).to.include({ form: 'asterisk', path: '*' });
    expect(answer.cache).to.deep.equal({ class: 'dynamic', eligible: 'false', reasons: ['method', 'classDisabled'] });
  });

  it('5: compares with the canonical form of the value', () => {
    const answer = evaluate(
      { settings: rfc3986, access: [block('uri starts_with /%61dmin%2fx')] },
      `${http}/admin%2Fx1`,
    );
    expect(answer).to.include({ disposition: 'block', status: 403 });
  });

  it('6: reads all cookies and shows only their lengths', () => {
    const headers = [
      { name: 'Cookie', value: 'a=1' },
      { name: 'cookie', value: 'b; a = 2' },
    ];
    const answer = evaluate({ access: [block('cookie:a equals 2')] }, { url: http, headers });
    expect(answer.disposition).to.equal('block');
    expect(stepsOf(answer, 'accessRules')[0]?.['leaves']).to.deep.equal([
      { index: 0, result: 'true', subject: [{ length: 1 }, { length: 1 }] },
    ]);
  });

  it('7: does not apply not_equals when one of several values is equal', () => {
    const headers = [{ name: 'Cookie', value: 'a=1; a=2' }];
    const answer = evaluate({ access: [block('cookie:a not_equals 1')] }, { url: http, headers });
    expect(outcomesOf(answer, 'accessRules')).to.deep.equal(['notMatched']);
  });

  it('8: an absent header satisfies a negated operator', () => {
    expect(evaluate({ access: [block('header:x-a not_contains z')] }, http).disposition).to.equal('block');
  });

  it('9: joins the lines of a header without empty ones', () => {
    const headers = ['1', '', '2'].map((value) => ({ name: 'X-A', value }));
    expect(evaluate({ access: [block('header:x-a equals 1, 2')] }, { url: http, headers }).disposition).to.equal(
      'block',
    );
  });

  it('10: skips under-attack mode, and allow ends the list', () => {
    const access = [
      { action: 'skip', skipTargets: ['underAttack', 'scenarios'], conditions: all('ip in 192.0.2.0/24') },
      { action: 'allow', conditions: all('method equals GET') },
      block('uri starts_with /'),
    ];
    const answer = evaluate({ access, settings: { underAttack: true, defaultBackend: backend } }, http);
    expect(outcomesOf(answer, 'accessRules')).to.deep.equal(['matched', 'matched', 'afterStop']);
    expect(phaseOf(answer, 'accessRules')['skips']).to.deep.equal([
      { target: 'scenarios', result: 'true' },
      { target: 'underAttack', result: 'true' },
    ]);
    expect(phaseOf(answer, 'security')).to.include({ underAttack: 'false' });
    expect(answer.disposition).to.equal('serve');
  });

  it('11: continues after a rule that may have blocked', () => {
    const access = [block('country equals DE'), block('uri equals /x')];
    const answer = evaluate({ access }, { url: `${http}/x`, country: undefined });
    expect(outcomesOf(answer, 'accessRules')).to.deep.equal(['unknown', 'matched']);
    expect(answer.dispositions).to.deep.equal(['block']);
    expect(answer.disposition).to.equal('block');
  });

  const rewritten = (rewrite: Record<string, unknown>, url: string) => {
    const { path, query, ends } = phaseOf(evaluate({ rewrites: [rewrite] }, url), 'rewriteRules');
    return { path, query, ends };
  };

  it('12: appends the rest of the path and the query of the request', () => {
    const rewrite = { operator: 'starts_with', sourcePattern: '/old', target: '/new?from=old' };
    expect(rewritten(rewrite, `${http}/old/a?b=1`)).to.deep.equal({
      path: '/new/a',
      query: 'from=old&b=1',
      ends: 'false',
    });
  });

  it('13: encodes groups in the query of a target', () => {
    const rewrite = {
      operator: 'regex',
      sourcePattern: '^/(\\d+)/(.*)$',
      target: '/item?id=$1&t=$2',
      preserveQueryString: false,
    };
    expect(rewritten(rewrite, `${http}/7/a&b+c?z=1`)).to.deep.equal({
      path: '/item',
      query: 'id=7&t=a%26b%2Bc',
      ends: 'false',
    });
  });

  it('14: replaces the whole path if a pattern matches anywhere', () => {
    const rewrite = { operator: 'regex', sourcePattern: 'blog', target: '/news' };
    expect(rewritten(rewrite, `${http}/x/blog/y?q=1`)).to.deep.equal({ path: '/news', query: 'q=1', ends: 'false' });
  });

  it('15: keeps a redirect on its host', () => {
    const rewrites = [
      { operator: 'starts_with', sourcePattern: '/old', target: '/', type: 'redirect', statusCode: 301 },
    ];
    expect(evaluate({ settings: rfc3986, rewrites }, `${http}/old//evil.example`)).to.include({
      disposition: 'redirect',
      status: 301,
      location: '/evil.example',
    });
  });

  it('16: redirects only if the conditions hold', () => {
    const rewrites = [
      {
        operator: 'starts_with',
        sourcePattern: '/',
        target: 'https://www.example.com',
        type: 'redirect',
        statusCode: 308,
        conditions: all('scheme equals http'),
      },
    ];
    expect(evaluate({ rewrites }, 'http://example.com/a?b')).to.include({
      status: 308,
      location: 'https://www.example.com/a?b',
    });
    const secure = evaluate({ rewrites }, 'https://example.com/a?b');
    expect(outcomesOf(secure, 'rewriteRules')).to.deep.equal(['notMatched']);
    expect(secure.disposition).to.equal('serve');
  });

  it('17: shows configuration rules and the cache the rewritten path', () => {
    const rewrites = [{ operator: 'equals', sourcePattern: '/a', target: '/b.css' }];
    const rules = [{ conditions: all('uri equals /b.css'), settingsOverrides: { cachingStaticEnabled: true } }];
    const answer = evaluate({ rewrites, rules }, `${http}/a`);
    expect(outcomesOf(answer, 'configurationRules')).to.deep.equal(['matched']);
    expect(answer.cache).to.include({ class: 'static', eligible: 'true' });
  });

  it('18: stops at a rule with stopOnMatch', () => {
    const rules = [
      { conditions: all('uri starts_with /'), settingsOverrides: { cachingDefaultTtl: 60 }, stopOnMatch: true },
      { conditions: all('method equals GET'), settingsOverrides: { cachingDefaultTtl: 5 } },
    ];
    const answer = evaluate({ rules }, http);
    expect(answer.settings?.['cachingDefaultTtl']).to.deep.equal({ value: 60, from: 'rule1', overwritten: ['zone'] });
    expect(outcomesOf(answer, 'configurationRules')).to.deep.equal(['matched', 'afterStop']);
  });

  it('19: lists all possible values', () => {
    const rules = [
      { conditions: all('country equals DE'), settingsOverrides: { cachingDefaultTtl: 60 }, stopOnMatch: true },
      { conditions: all('method equals GET'), settingsOverrides: { cachingDefaultTtl: 5 } },
    ];
    const answer = evaluate({ rules, settings: { cachingDefaultTtl: 9 } }, { url: http, country: undefined });
    expect(outcomesOf(answer, 'configurationRules')).to.deep.equal(['unknown', 'unknown']);
    expect(answer.settings?.['cachingDefaultTtl']).to.deep.equal({
      alternatives: [
        { value: 9, from: 'zone' },
        { value: 60, from: 'rule1' },
        { value: 5, from: 'rule2' },
      ],
      overwritten: [],
    });
  });

  it('20: sorts parameters in the key, omits ignored ones, and shares the key with HEAD', () => {
    const settings = { cachingStaticEnabled: true, defaultBackend: backend };
    const url = 'https://a.example/x.css?b=2&utm_source=z&a=1&b=1';
    const key = evaluate({ settings }, url).cache?.key;
    expect(key?.parts).to.deep.equal([
      { part: 'class', state: 'present', value: 'static' },
      { part: 'scheme', state: 'present', value: 'https' },
      { part: 'host', state: 'present', value: 'a.example' },
      { part: 'path', state: 'present', value: '/x.css' },
      { part: 'query', state: 'present', value: 'a=1&b=2&b=1' },
    ]);
    expect(key?.sha256).to.match(/^[0-9a-f]{64}$/);
    expect(evaluate({ settings }, { url, method: 'HEAD' }).cache?.key?.sha256).to.equal(key?.sha256);
  });

  it('21: shows unknown and absent parts of a key, and no hash if a part is unknown', () => {
    const settings = {
      cachingDynamicEnabled: true,
      cachingDynamicCacheKey: { varyByCookie: ['lang'], varyByCountry: true, varyByHeader: ['X-A'] },
    };
    const key = evaluate({ settings }, { url: 'https://a.example', unknown: ['cookies'] }).cache?.key;
    expect(key).to.deep.equal({
      parts: [
        { part: 'class', state: 'present', value: 'dynamic' },
        { part: 'scheme', state: 'present', value: 'https' },
        { part: 'host', state: 'present', value: 'a.example' },
        { part: 'path', state: 'present', value: '/' },
        { part: 'query', state: 'present', value: '' },
        { part: 'cookie', name: 'lang', state: 'unknown' },
        { part: 'country', state: 'present', value: 'DE' },
        { part: 'header', name: 'x-a', state: 'absent' },
      ],
    });
  });

  it('22: requires credentials, and does not forward them to the origin', () => {
    const settings = { basicAuth: { enabled: true }, cachingDynamicEnabled: true };
    expect(evaluate({ settings }, http)).to.include({ disposition: 'unauthorized', status: 401 });
    const headers = [{ name: 'Authorization', value: 'basic eA==' }];
    const answer = evaluate({ settings }, { url: http, headers });
    expect(answer.disposition).to.equal('serve');
    expect(answer.cache?.eligible).to.equal('true');
    expect(answer.origin?.headers).to.deep.equal({ remove: ['Authorization'], set: [] });
  });

  it('23: only forwards if the zone is off', () => {
    const rules = [{ conditions: all('uri equals /off'), settingsOverrides: { enabled: false } }];
    const settings = { underAttack: true, customPagesMaintenanceActive: true };
    const off = evaluate({ rules, settings }, `${http}/off`);
    expect(off.disposition).to.equal('serve');
    expect(off.cache?.reasons).to.deep.equal(['disabled', 'classDisabled']);
    expect(evaluate({ rules, settings }, `${http}/on`)).to.include({ disposition: 'challenge', status: 403 });
  });

  it('24: answers 502 without a backend', () => {
    const answer = evaluate({ settings: { defaultBackend: null } }, http);
    expect(answer).to.include({ disposition: 'noBackend', status: 502 });
    expect(answer).to.have.property('cache');
    expect(answer).to.not.have.any.keys('origin', 'response');
  });

  it('25: tests the status in filters of scenarios', () => {
    const scenarios = [{ filter: all('status in 403,404') }];
    const before = evaluate({ scenarios }, http);
    expect(outcomesOf(before, 'security')).to.deep.equal(['unknown']);
    const after = evaluate({ scenarios }, { url: http, status: 404 });
    expect(outcomesOf(after, 'security')).to.deep.equal(['matched']);
    expect([before.disposition, after.disposition]).to.deep.equal(['serve', 'serve']);
  });

  it('26: reads a path as origin servers do, or rejects it', () => {
    const access = [block('uri starts_with /secret')];
    for (const path of ['//secret', '/a/..//secret']) {
      expect(evaluate({ access }, http + path)).to.include({ disposition: 'block', status: 403 });
    }
    for (const path of ['/%2Fsecret', '/x/..%2fsecret', '/x/..;/secret']) {
      const rejected = { disposition: 'rejected', status: 400, reason: 'target.ambiguous' };
      expect(evaluate({ access }, http + path)).to.include(rejected);
    }
  });
});

const backend = { type: 'origin_server', id: 'origin-1' };

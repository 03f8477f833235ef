import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { all, evaluate } from '../zones.ts';

const backend = { defaultBackend: { type: 'origin_server', id: 'origin-1' } };
const cacheOf = (
  settings: Record<string, unknown>,
  facts: Record<string, unknown> | string,
  rules: Record<string, unknown>[] = [],
) =>
  evaluate(
    { settings: { cachingDynamicEnabled: true, cachingStaticEnabled: true, ...backend, ...settings }, rules },
    facts,
  ).cache;
const url = 'https://a.example/x.css';
const header = (name: string, value: string) => ({ name, value });
const parts = (settings: Record<string, unknown>, facts: Record<string, unknown> | string) =>
  cacheOf(settings, facts)?.key?.parts.map(({ part, name, state, value }) => [
    part,
    name,
    state === 'present' ? value : state,
  ]);
const queryOf = (settings: Record<string, unknown>, query: string) =>
  parts(settings, `${url}?${query}`)?.find(([part]) => part === 'query')?.[2];

describe('the cache', () => {
  it('hashes the length-prefixed parts', () => {
    const text = '12:class=static,12:scheme=https,14:host=a.example,11:path=/x.css,6:query=,';
    expect(cacheOf({}, url)?.key?.sha256).to.equal(createHash('sha256').update(text).digest('hex'));
  });

  it('names every blocker in order', () => {
    const settings = {
      enabled: false,
      cachingStaticEnabled: false,
      cachingRespectCacheControl: false,
      cachingDefaultTtl: 0,
    };
    const facts = { url, method: 'POST', headers: [header('authorization', '')] };
    expect(cacheOf(settings, facts)).to.deep.equal({
      class: 'static',
      eligible: 'false',
      reasons: ['disabled', 'method', 'authorization', 'classDisabled', 'ttl'],
    });
  });

  it('is not disabled by a TTL of 0 if the origin sends a lifetime', () => {
    const settings = { cachingRespectCacheControl: true, cachingDefaultTtl: 0 };
    expect(cacheOf(settings, url)).to.deep.include({ eligible: 'true', reasons: [] });
  });

  it('reports the source of the TTL, and the stored media types', () => {
    const settings = {
      cachingRespectCacheControl: false,
      cachingAdditionalContentTypes: ['Text/HTML', 'Image/*', 'image/*'],
    };
    expect(cacheOf(settings, 'https://a.example/')).to.deep.include({
      ttl: { source: 'setting', seconds: 604_800 },
      contentTypes: ['text/html', 'image/*'],
    });
    expect(cacheOf({}, url))
      .to.deep.include({ ttl: { source: 'origin', seconds: 604_800 } })
      .and.not.have.property('contentTypes');
  });

  it('leaves ignored and managed parameters out of keys', () => {
    expect(queryOf({}, 'utm_a=1&b=2&gclid=3&a&a=0&&c=')).to.equal('a&a=0&b=2&c=');
    expect(queryOf({ cachingManagedIgnoredUrlParamsEnabled: false }, 'utm_a=1')).to.equal('utm_a=1');
    expect(queryOf({ cachingIgnoredUrlParams: ['b', 'c*', '%7e'] }, 'a&b&c&cd&~')).to.equal('a');
    expect(queryOf({ cachingIgnoredUrlParams: ['*'] }, 'a&b')).to.equal('');
  });

  it('uses only the listed parameters for the static class, ignored or not', () => {
    const settings = {
      cachingStaticCacheKey: { varyByQueryString: ['utm_a', 'ü'] },
      cachingIgnoredUrlParams: ['utm_a'],
    };
    expect(queryOf(settings, 'utm_a=1&b=2&%c3%bc=3')).to.equal('%C3%BC=3&utm_a=1');
  });

  it('sorts cookies and headers by name, uses the first cookie of a name, and shows no secrets', () => {
    const settings = {
      cachingDynamicCacheKey: {
        uri: false,
        varyByHostname: false,
        varyByCookie: ['b', 'a', 'B'],
        varyByHeader: ['X-B', 'authorization', 'X-a'],
        varyByCountry: true,
      },
      basicAuth: { enabled: true },
    };
    const headers = [header('Cookie', 'a=12; a=3; B='), header('Authorization', 'Basic YQ=='), header('x-a', '1')];
    expect(parts(settings, { url: 'https://a.example/', headers, country: undefined })).to.deep.equal([
      ['class', undefined, 'dynamic'],
      ['scheme', undefined, 'https'],
      ['cookie', 'B', { length: 0 }],
      ['cookie', 'a', { length: 2 }],
      ['cookie', 'b', 'absent'],
      ['country', undefined, 'unknown'],
      ['header', 'authorization', { length: 10 }],
      ['header', 'x-a', '1'],
      ['header', 'x-b', 'absent'],
    ]);
  });

  const maybe = (settingsOverrides: Record<string, unknown>) => [
    { conditions: all('country equals DE'), settingsOverrides },
  ];
  const unknownCountry = { url, country: undefined };

  it('has no key if a setting that affects it has several possible values', () => {
    const overrides = [
      { cachingIgnoredUrlParams: ['a'] },
      { cachingManagedIgnoredUrlParamsEnabled: false },
      { cachingStaticCacheKey: { uri: false } },
    ];
    for (const each of overrides) expect(cacheOf({}, unknownCountry, maybe(each))).to.not.have.property('key');
    expect(cacheOf({}, unknownCountry, maybe({ cachingDynamicCacheKey: { uri: false } }))).to.have.property('key');
  });

  it('is unknown if its settings are', () => {
    const rules = maybe({ cachingStaticEnabled: false, cachingRespectCacheControl: false, cachingDefaultTtl: 0 });
    const { key, ...rest } = cacheOf({}, unknownCountry, rules) ?? {};
    expect(key).to.have.property('sha256');
    expect(rest).to.deep.equal({ class: 'static', eligible: 'unknown', reasons: [], ttl: { source: 'unknown' } });
    const types = maybe({ cachingAdditionalContentTypes: ['a/b'] });
    expect(cacheOf({}, { ...unknownCountry, url: 'https://a' }, types)).to.not.have.property('contentTypes');
  });

  it('allows either class for an unknown path', () => {
    const rewrites = [
      { operator: 'equals', sourcePattern: '/a', target: '/b.css', conditions: all('country equals DE') },
    ];
    const settings = (isStatic: boolean, isDynamic: boolean) => ({
      ...backend,
      cachingStaticEnabled: isStatic,
      cachingDynamicEnabled: isDynamic,
    });
    const answer = (isStatic: boolean, isDynamic: boolean) => {
      const { cache } = evaluate(
        { rewrites, settings: settings(isStatic, isDynamic) },
        { url: 'https://a/a', country: undefined },
      );
      return [cache?.class, cache?.eligible, cache?.key];
    };
    expect(answer(true, true)).to.deep.equal(['unknown', 'true', undefined]);
    expect(answer(false, true)).to.deep.equal(['unknown', 'unknown', undefined]);
    expect(answer(false, false)).to.deep.equal(['unknown', 'false', undefined]);
  });

  it('does not assume an Authorization header that is unknown', () => {
    expect(cacheOf({}, { url, unknown: ['headers'] })?.eligible).to.equal('unknown');
  });
});

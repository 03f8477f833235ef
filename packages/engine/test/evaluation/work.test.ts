import { expect } from 'chai';
import { maxServingWork, parseFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { all, engineOf, type ZoneDraft } from '../zones.ts';
import { type ExpensiveZone, expensiveZones } from './expensive-zones.ts';

const unlimited = Number.MAX_SAFE_INTEGER;
const factsOf = (facts: object) => okOf(parseFacts({ ip: '192.0.2.1', country: 'DE', asn: 64_500, ...facts }));
const headerOf = (value: string) => factsOf({ url: 'https://a.example/', headers: [{ name: 'x-a', value }] });
const accessRule = (...conditions: readonly string[]): ZoneDraft => ({
  access: [{ action: 'allow', conditions: all(...conditions) }],
});

/** The work of a request once everything is prepared. */
function workOf(draft: ZoneDraft, facts: ReturnType<typeof factsOf>): number {
  const engine = engineOf(draft);
  engine.evaluate(facts);
  return engine.evaluateWithin(unlimited, facts).work;
}

/** What a condition on a header adds to the work. */
const conditionWork = (condition: string, header: string): number =>
  workOf(accessRule(condition), headerOf(header)) - workOf({ access: [] }, headerOf(header));

const long = 'a'.repeat(30_000);

describe('the work of an evaluation', () => {
  it('limits it exactly, without any other effect', () => {
    const draft = accessRule('uri matches ^/a[0-9]+$', 'header:x-a contains b', 'ip in 192.0.2.0/24');
    const facts = headerOf('abc');
    const engine = engineOf(draft);
    const expected = engine.evaluate(facts);
    const { evaluation, work } = engine.evaluateWithin(unlimited, facts);
    expect(evaluation).to.deep.equal(expected);
    expect(engine.evaluateWithin(work, facts)).to.deep.equal({ evaluation, work });
    expect(engine.evaluateWithin(work - 1, facts)).to.deep.equal({ evaluation: undefined, work: work - 1 });
    expect(engine.evaluate(facts)).to.deep.equal(expected);
  });

  for (const [condition, header, least] of [
    [`contains ab${'a'.repeat(998)}`, long, 30_000 + 1000],
    ['contains aaaaab', long, 30_000],
    ['not_contains aaaaab', long, 30_000],
    [`starts_with ${'a'.repeat(1000)}`, long, 1000 / 4],
    [`ends_with ${'a'.repeat(1000)}`, long, 1000 / 4],
    [`equals ${'a'.repeat(1000)}`, 'a'.repeat(1000), 1000 / 16],
    [`in ${'b'.repeat(1000)}`, 'a'.repeat(1000), 1000 / 8],
    ['matches (?:b|c)aaaaab', long, 30_000],
    ['matches ^[ab]*c', `${long}c`, 30_000 / 4],
    ['matches_ci a[bc]+', long, 30_000 / 4],
  ] as const) {
    const [operator = ''] = condition.split(' ');
    it(`has the bytes that ${operator} looks at (${condition.slice(0, 30)})`, () => {
      expect(conditionWork(`header:x-a ${condition}`, header)).to.be.within(least, 2 * least + 300);
    });
  }

  it('has every value of a cookie, even if none can match', () => {
    const cookie = (text: string) => factsOf({ url: 'https://a.example/', headers: [{ name: 'cookie', value: text }] });
    const many = 'c=;'.repeat(5000);
    const work = (...conditions: readonly string[]) => workOf(accessRule(...conditions), cookie(many));
    for (const each of ['cookie:c contains a;b', 'cookie:c equals a', 'cookie:c in a'])
      expect(work(each, each) - work(each)).to.be.at.least(5000);
  });

  it('has the addresses that are read for the first request only', () => {
    const engine = engineOf(accessRule(`ip in ${Array.from({ length: 250 }, (_, at) => `10.0.0.${at}`).join(',')}`));
    const [first, second] = [1, 2].map(() => engine.evaluateWithin(unlimited, headerOf('')).work);
    expect((first ?? 0) - (second ?? 0)).to.be.at.least(250 * 8);
  });

  it('has the result of a rewrite, before it is made', () => {
    const rewrite = { operator: 'regex', sourcePattern: '^/(.*)$', target: `/${'$1'.repeat(100)}` };
    const facts = factsOf({ url: `https://a.example/${'a'.repeat(8000)}` });
    const engine = engineOf({ rewrites: [rewrite] });
    expect(engine.evaluateWithin(8_000_000, facts).evaluation).to.equal(undefined);
    expect(engine.evaluateWithin(unlimited, facts).work).to.be.at.least(8_000_000);
  });

  it('has the names that parameters of a cache key are compared with', () => {
    const facts = factsOf({ url: `https://a.example/?${'a&'.repeat(1000)}` });
    const work = (count: number) =>
      workOf({ settings: { cachingIgnoredUrlParams: Array.from({ length: count }, (_, at) => `p${at}*`) } }, facts);
    expect(work(100) - work(0)).to.be.at.least(1000 * 10);
  });

  it('has each setting that a rule overrides, unless the combination is known', () => {
    const rules = Array.from({ length: 50 }, (_, at) => ({
      conditions: all('uri starts_with /'),
      settingsOverrides: { cachingDefaultTtl: at, customPagesMaintenanceHtml: 'a'.repeat(1000) },
    }));
    const engine = engineOf({ rules });
    const [first, second] = [1, 2].map(() => engine.evaluateWithin(unlimited, headerOf('')).work);
    expect((first ?? 0) - (second ?? 0)).to.be.at.least(50 * 1000);
  });

  it('is a thousandth of the limit for a typical request', () => {
    const headers = [{ name: 'User-Agent', value: 'Mozilla/5.0 (X11; Linux x86_64)' }];
    const draft = accessRule('uri starts_with /admin', 'userAgent contains bot', 'ip in 10.0.0.0/8');
    expect(workOf(draft, factsOf({ url: 'https://a.example/a?b=c', headers }))).to.be.lessThan(maxServingWork / 500);
  });

  for (const name of ['contains a long text', 'cookies with one name', 'a result repeats a group'])
    it(`ends at its limit if ${name} in the largest zone`, () => {
      const { draft, facts }: ExpensiveZone = expensiveZones[name]?.() ?? expect.fail();
      const { evaluation, work } = engineOf(draft).evaluateWithin(maxServingWork, factsOf(facts));
      expect([evaluation, work]).to.deep.equal([undefined, maxServingWork]);
    });
});

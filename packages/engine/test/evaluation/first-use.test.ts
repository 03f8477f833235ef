import { expect } from 'chai';
import { compile, type Engine, parseConfiguration, parseFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { all, documentOf, type ZoneDraft } from '../zones.ts';

const unlimited = Number.MAX_SAFE_INTEGER;
const facts = okOf(
  parseFacts({
    url: 'https://a.example/',
    ip: '192.0.2.1',
    country: 'DE',
    asn: 64_500,
    headers: [{ name: 'x-a', value: 'b' }],
  }),
);

/** The engine of a configuration that counts as validated. */
const engineOf = (draft: ZoneDraft): Engine =>
  compile(okOf(parseConfiguration(documentOf(draft), {}, { isValidated: true })));

const pattern = (index: number): string => `[xy]${'z'.repeat(500)}${index}`;
const ten = Array.from({ length: 10 }, (_, index) => index);
const access = (...conditions: readonly string[]): ZoneDraft => ({
  access: [{ action: 'block', conditions: all(...conditions) }],
});
const rewritesOf = (sources: readonly string[]): ZoneDraft => ({
  rewrites: sources.map((sourcePattern) => ({ operator: 'regex', sourcePattern, target: '/new' })),
});

describe('values of a validated configuration', () => {
  for (const [what, draft] of Object.entries({
    patterns: access(...ten.map((index) => `header:x-a not_matches ${pattern(index)}`)),
    sources: rewritesOf(ten.map(pattern)),
    'lists of addresses': access(...ten.map((index) => `ip in ${'10.0.0.1,'.repeat(500)}10.0.${index}.0/24`)),
    texts: access(...ten.map((index) => `header:x-a not_contains ${'z'.repeat(1000)}${index}`)),
  })) {
    it(`are read at their first use, which is charged: ${what}`, () => {
      const engine = engineOf(draft);
      const [first = 0, second = 0] = [1, 2].map(() => engine.evaluateWithin(unlimited, facts).work);
      expect(first - second).to.be.at.least(10 * 500 * 5);
    });

    it(`are read once, even if the evaluations that do are refused: ${what}`, () => {
      const engine = engineOf(draft);
      const { evaluation, work: whole } = engineOf(draft).evaluateWithin(unlimited, facts);
      const answers = ten.map(() => engine.evaluateWithin(Math.floor(whole / 2), facts).evaluation);
      expect(answers[0]).to.equal(undefined);
      expect(answers.at(-1)).to.deep.equal(evaluation);
    });
  }

  it('are not read for a header that is absent', () => {
    const conditions = [`header:x-b not_matches ${pattern(1)}`] as const;
    const work = (draft: ZoneDraft) => engineOf(draft).evaluateWithin(unlimited, facts).work;
    expect(work(access(...conditions)) - work(access('header:x-b not_matches a'))).to.equal(0);
  });

  for (const [what, draft] of Object.entries({
    'a pattern': access('header:x-a matches ('),
    'a negated pattern': access('header:x-a not_matches ('),
    'the source of a rewrite': rewritesOf(['(']),
    'an address': access('ip equals 192.0.2.999'),
    'an address in a list': access('ip in 192.0.2.0/24,192.0.2.999'),
  }))
    it(`refuse the evaluation if ${what} cannot be read, which is never taken for no match`, () => {
      const engine = engineOf(draft);
      for (const _ of [1, 2]) expect(engine.evaluateWithin(unlimited, facts).evaluation).to.equal(undefined);
      expect(() => engine.evaluate(facts)).to.throw('cannot be read');
      expect(parseConfiguration(documentOf(draft), {}).ok).to.equal(false);
    });
});

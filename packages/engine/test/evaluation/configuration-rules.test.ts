import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { all, any, engineOf, evaluate, outcomesOf, phaseOf, stepsOf } from '../zones.ts';

const url = 'https://a.example/';
const conditions = {
  true: all('method equals GET'),
  false: all('method equals PUT'),
  unknown: all('country equals DE'),
};
type Result = keyof typeof conditions;

interface Model {
  readonly result: Result;
  readonly enabled: boolean;
  readonly stops: boolean;
  readonly ttl: number;
}

const models = fc.array(
  fc.record<Model>({
    result: fc.constantFrom<Result>('true', 'false', 'unknown'),
    enabled: fc.boolean(),
    stops: fc.boolean(),
    ttl: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 6 },
);

const ruleOf = ({ result, enabled, stops, ttl }: Model) => ({
  conditions: conditions[result],
  enabled,
  stopOnMatch: stops,
  settingsOverrides: { cachingDefaultTtl: ttl },
});

const evaluated = (rules: readonly Model[], country: string | undefined) =>
  evaluate({ rules: rules.map(ruleOf), settings: { cachingDefaultTtl: 0 } }, { url, country });

/** The value if the country is known, by definition: the last rule that applies wins, up to one that stops. */
function lastWriter(rules: readonly Model[], isGerman: boolean): number {
  let value = 0;
  for (const { result, enabled, stops, ttl } of rules) {
    const applies = enabled && (result === 'true' || (result === 'unknown' && isGerman));
    if (applies) value = ttl;
    if (applies && stops) break;
  }
  return value;
}

const valuesOf = (setting: object | undefined): readonly unknown[] => {
  if (setting !== undefined && 'alternatives' in setting) {
    return (setting.alternatives as { value: unknown }[]).map(({ value }) => value);
  }
  return setting !== undefined && 'value' in setting ? [setting.value] : [];
};

describe('configuration rules', () => {
  it('let the last writer win', () => {
    fc.assert(
      fc.property(models, fc.boolean(), (rules, isGerman) => {
        const setting = evaluated(rules, isGerman ? 'DE' : 'FR').settings?.['cachingDefaultTtl'];
        expect(valuesOf(setting)).to.deep.equal([lastWriter(rules, isGerman)]);
      }),
    );
  });

  it('have every value that some country leads to, and exactly one without unknown rules', () => {
    fc.assert(
      fc.property(models, (rules) => {
        const possible = valuesOf(evaluated(rules, undefined).settings?.['cachingDefaultTtl']);
        expect(possible).to.include(lastWriter(rules, true)).and.to.include(lastWriter(rules, false));
        expect(new Set(possible).size).to.equal(possible.length);
      }),
    );
  });

  it('have the same values in any order of rules that write different keys', () => {
    const keys = ['cachingDefaultTtl', 'staleIfErrorSeconds', 'imageOptimizationAvifQuality'];
    const rules = keys.map((key, index) => ({ conditions: conditions.true, settingsOverrides: { [key]: index + 7 } }));
    const values = [rules, rules.toReversed()].map((each) => {
      const { settings } = evaluate({ rules: each }, url);
      return keys.map((key) => valuesOf(settings?.[key]));
    });
    expect(values[0])
      .to.deep.equal(values[1])
      .and.to.deep.equal([[7], [8], [9]]);
  });

  it('may still have ended if a later stop rule does not apply', () => {
    const rules = [
      { conditions: conditions.unknown, stopOnMatch: true },
      { conditions: conditions.false, stopOnMatch: true },
      { conditions: conditions.true, stopOnMatch: true },
      { conditions: conditions.true },
    ];
    const answer = evaluate({ rules }, { url, country: undefined });
    expect(outcomesOf(answer, 'configurationRules')).to.deep.equal(['unknown', 'notMatched', 'unknown', 'unknown']);
  });

  it('name all earlier writers, and the writes of rules that apply or may', () => {
    const write = (ttl: number, result: Result) => ruleOf({ result, enabled: true, stops: false, ttl });
    const rules = [write(1, 'true'), write(2, 'unknown'), write(1, 'unknown'), write(5, 'false'), write(3, 'true')];
    const answer = evaluate({ rules }, { url, country: undefined });
    expect(answer.settings?.['cachingDefaultTtl']).to.deep.equal({
      value: 3,
      from: 'rule5',
      overwritten: ['zone', 'rule1', 'rule2'],
    });
    expect(stepsOf(answer, 'configurationRules').map(({ writes }) => writes)).to.deep.equal([
      ['cachingDefaultTtl'],
      ['cachingDefaultTtl'],
      ['cachingDefaultTtl'],
      undefined,
      ['cachingDefaultTtl'],
    ]);
    expect(phaseOf(answer, 'configurationRules')['ends']).to.equal('false');
  });

  it('list the keys they write in order, each separately', () => {
    const rules = [
      { conditions: all('uri equals /a'), settingsOverrides: { minifyHtml: true, cachingDefaultTtl: 1 } },
      { conditions: all('uri equals /b'), settingsOverrides: { cachingDefaultTtl: 2 } },
    ];
    const engine = engineOf({ rules });
    const answerTo = (path: string) => engine.evaluate(okOf(parseFacts({ url: `https://a.example${path}` })));
    expect(stepsOf(answerTo('/a'), 'configurationRules')[0]?.['writes']).to.deep.equal([
      'cachingDefaultTtl',
      'minifyHtml',
    ]);
    const values = ['/a', '/b', '/a'].flatMap((path) => valuesOf(answerTo(path).settings?.['cachingDefaultTtl']));
    expect(values).to.deep.equal([1, 2, 1]);
  });

  it('replace objects as a whole: omitted members get their defaults', () => {
    const rules = [
      { conditions: any('method equals GET'), settingsOverrides: { cachingDynamicCacheKey: { uri: true } } },
    ];
    const settings = { cachingDynamicCacheKey: { varyByHostname: false, varyByCookie: ['a'] } };
    expect(evaluate({ rules, settings }, url).settings?.['cachingDynamicCacheKey']).to.deep.include({
      value: { uri: true, varyByHostname: true, varyByCookie: [], varyByCountry: false, varyByHeader: [] },
    });
  });

  it('compare values ignoring the order of members, but not of entries', () => {
    const possible = (before: unknown, after: unknown) => {
      const rules = [{ conditions: conditions.unknown, settingsOverrides: { headersResponseSet: after } }];
      const answer = evaluate({ rules, settings: { headersResponseSet: before } }, { url, country: undefined });
      return valuesOf(answer.settings?.['headersResponseSet']).length;
    };
    const [a, b] = [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ];
    expect(possible([a], [{ value: '1', name: 'a' }])).to.equal(1);
    expect(possible([a, b], [b, a])).to.equal(2);
    expect(possible([a], [])).to.equal(2);
    expect(possible([a], [{ name: 'a', value: '2' }])).to.equal(2);
  });

  it('show pages by their size and keys without a value as null', () => {
    const { settings } = evaluate({ settings: { customPagesErrorHtml: '<p>é' } }, url);
    expect(settings?.['customPagesErrorHtml']).to.deep.equal({ value: { bytes: 5 }, from: 'zone', overwritten: [] });
    expect(settings?.['backendPortOverride']).to.deep.equal({ value: null, from: 'zone', overwritten: [] });
    const keys = Object.keys(settings ?? {});
    expect(keys).to.deep.equal(keys.toSorted());
  });
});

import { expect } from 'chai';
import type { Violation } from '../../../src/kernel/shared/violation.ts';
import { inconsistencies, inconsistenciesWith, overlay } from '../../../src/zones/settings/consistency.ts';
import { defaultZoneSettings, SettingsOverrides, ZoneSettings } from '../../../src/zones/settings/settings.ts';

const field = (name: string, value = 'v') => ({ name, value });
const brief = (violations: readonly Violation[]) =>
  violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`);

const order = 'settings.quality.order';
const conflict = 'settings.header.conflict';

describe('inconsistencies', () => {
  const of = (settings: object) => brief(inconsistencies(ZoneSettings.parse(settings)));
  const cases: readonly (readonly [settings: object, ...violations: string[]])[] = [
    [{}],
    [{ imageOptimizationJpegQualityMin: 85 }],
    [{ imageOptimizationJpegQualityMin: 86 }, `imageOptimizationJpegQualityTarget ${order}`],
    [{ imageOptimizationJpegQualityMax: 85 }],
    [{ imageOptimizationJpegQualityMax: 84 }, `imageOptimizationJpegQualityMax ${order}`],
    [{ imageOptimizationJpegQualityTarget: 100 }, `imageOptimizationJpegQualityMax ${order}`],
    [
      { imageOptimizationJpegQualityMin: 90, imageOptimizationJpegQualityMax: 80 },
      `imageOptimizationJpegQualityTarget ${order}`,
      `imageOptimizationJpegQualityMax ${order}`,
    ],
    [{ imageOptimizationPngQualityMin: 80 }],
    [{ imageOptimizationPngQualityMin: 81 }, `imageOptimizationPngQualityMax ${order}`],
    [
      { headersResponseRemove: ['Server', 'x-a'], headersResponseSet: [field('y'), field('X-A'), field('server')] },
      `headersResponseSet[1].name ${conflict}`,
      `headersResponseSet[2].name ${conflict}`,
    ],
    [
      { headersResponseSet: [field('Vary')], headersResponseAdd: [field('vary', 'a'), field('b'), field('VARY', 'c')] },
      `headersResponseAdd[0].name ${conflict}`,
      `headersResponseAdd[2].name ${conflict}`,
    ],
    // Removing what the origin sent before adding is what this order of operations is for.
    [{ headersResponseRemove: ['Link'], headersResponseAdd: [field('link')] }],
    // Requests and responses are independent.
    [{ headersResponseRemove: ['X-A'], headersRequestSet: [field('x-a')] }],
  ];
  for (const [settings, ...expected] of cases) {
    it(`finds ${expected.length} violations in ${JSON.stringify(settings)}`, () => {
      expect(of(settings)).to.deep.equal(expected);
    });
  }

  it('reports which two values are in the wrong order', () => {
    const [found] = inconsistencies(ZoneSettings.parse({ imageOptimizationPngQualityMin: 90 }));
    expect(found?.message).to.equal('This value (80) should be at least imageOptimizationPngQualityMin (90).');
  });
});

describe('overlay', () => {
  it('replaces settings as a whole, member defaults included', () => {
    const settings = ZoneSettings.parse({
      cachingDynamicCacheKey: { varyByCountry: true, varyByCookie: ['a'] },
      headersResponseRemove: ['Server'],
      backendPortOverride: 8080,
    });
    const overrides = SettingsOverrides.parse({
      cachingDynamicCacheKey: { uri: false },
      headersResponseRemove: ['Via'],
      backendPortOverride: null,
    });
    expect(overlay(settings, overrides)).to.deep.equal({
      ...settings,
      cachingDynamicCacheKey: { ...defaultZoneSettings.cachingDynamicCacheKey, uri: false },
      headersResponseRemove: ['Via'],
    });
  });

  it('modifies neither argument', () => {
    const overrides = SettingsOverrides.parse({ enabled: false });
    overlay(defaultZoneSettings, overrides);
    expect(defaultZoneSettings.enabled).to.equal(true);
    expect(overrides).to.deep.equal({ enabled: false });
  });
});

describe('inconsistenciesWith, while the overrides change', () => {
  const of = (settings: object, overrides: object) =>
    brief(inconsistenciesWith(ZoneSettings.parse(settings), SettingsOverrides.parse(overrides), 'overrides'));

  it('finds nothing without overrides, whatever the zone', () => {
    expect(of({}, {})).to.deep.equal([]);
    expect(of({ imageOptimizationPngQualityMin: 90 }, {})).to.deep.equal([]);
    expect(of({ imageOptimizationPngQualityMin: 90 }, { enabled: false })).to.deep.equal([]);
  });

  it('reports the overridden member of a pair, whichever it is', () => {
    expect(of({}, { imageOptimizationPngQualityMin: 81 })).to.deep.equal([`imageOptimizationPngQualityMin ${order}`]);
    expect(of({}, { imageOptimizationPngQualityMax: 64 })).to.deep.equal([`imageOptimizationPngQualityMax ${order}`]);
    expect(of({}, { imageOptimizationJpegQualityTarget: 99 })).to.deep.equal([
      `imageOptimizationJpegQualityTarget ${order}`,
    ]);
    expect(of({}, { imageOptimizationJpegQualityTarget: 39 })).to.deep.equal([
      `imageOptimizationJpegQualityTarget ${order}`,
    ]);
  });

  it('reports what an overridden value should be', () => {
    const overrides = SettingsOverrides.parse({ imageOptimizationPngQualityMin: 81 });
    expect(inconsistenciesWith(defaultZoneSettings, overrides, 'overrides')[0]?.message).to.equal(
      'This value (81) should be at most imageOptimizationPngQualityMax (80).',
    );
  });

  it('accepts overrides that are consistent with each other but not with the zone', () => {
    const overrides = { imageOptimizationPngQualityMin: 90, imageOptimizationPngQualityMax: 95 };
    expect(of({}, overrides)).to.deep.equal([]);
    expect(of({ imageOptimizationPngQualityMin: 90 }, { imageOptimizationPngQualityMin: 10 })).to.deep.equal([]);
  });

  it('finds headers that the rule sets and the zone removes or adds, and the other way round', () => {
    const set = { headersResponseSet: [field('a'), field('X')] };
    const remove = { headersResponseRemove: ['b', 'x'] };
    const add = { headersResponseAdd: [field('x', '1'), field('x', '2')] };
    expect(of(remove, set)).to.deep.equal([`headersResponseSet[1].name ${conflict}`]);
    expect(of(set, remove)).to.deep.equal([`headersResponseRemove[1] ${conflict}`]);
    expect(of(add, set)).to.deep.equal([`headersResponseSet[1].name ${conflict}`]);
    expect(of(set, add)).to.deep.equal([
      `headersResponseAdd[0].name ${conflict}`,
      `headersResponseAdd[1].name ${conflict}`,
    ]);
    expect(of({}, { ...set, ...remove })).to.deep.equal([`headersResponseSet[1].name ${conflict}`]);
    expect(of(set, { ...remove, headersResponseSet: [] })).to.deep.equal([]);
  });
});

describe('inconsistenciesWith, while the settings change', () => {
  const of = (settings: object, overrides: object) =>
    brief(inconsistenciesWith(ZoneSettings.parse(settings), SettingsOverrides.parse(overrides), 'settings'));

  const cases: readonly (readonly [settings: object, overrides: object, ...violations: string[]])[] = [
    [{}, {}],
    [{ imageOptimizationPngQualityMin: 90 }, {}],
    [{}, { imageOptimizationPngQualityMin: 75 }],
    [
      { imageOptimizationPngQualityMax: 70 },
      { imageOptimizationPngQualityMin: 75 },
      `imageOptimizationPngQualityMax ${order}`,
    ],
    [
      { imageOptimizationPngQualityMin: 75 },
      { imageOptimizationPngQualityMax: 70 },
      `imageOptimizationPngQualityMin ${order}`,
    ],
    [
      { imageOptimizationPngQualityMax: 70 },
      { imageOptimizationPngQualityMin: 75, imageOptimizationPngQualityMax: 80 },
    ],
    [
      { headersResponseRemove: ['b', 'x'] },
      { headersResponseSet: [field('X')] },
      `headersResponseRemove[1] ${conflict}`,
    ],
    [
      { headersResponseSet: [field('b'), field('x')] },
      { headersResponseRemove: ['X'] },
      `headersResponseSet[1].name ${conflict}`,
    ],
  ];
  for (const [settings, overrides, ...violations] of cases) {
    it(`blames ${violations.join(', ') || 'nothing'} of ${JSON.stringify(settings)} under ${JSON.stringify(overrides)}`, () => {
      expect(of(settings, overrides)).to.deep.equal(violations);
    });
  }
});

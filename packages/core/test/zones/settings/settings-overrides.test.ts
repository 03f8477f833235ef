import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Json, mergePatch } from '../../../src/kernel/shared/json.ts';
import { parse } from '../../../src/kernel/shared/parse.ts';
import { inconsistencies, inconsistenciesWith, overlay } from '../../../src/zones/settings/consistency.ts';
import {
  defaultZoneSettings,
  type OverridableKey,
  overridableSettings,
  SettingsOverrides,
  ZoneSettings,
} from '../../../src/zones/settings/settings.ts';
import { shown } from './setting-case.ts';
import { overridableKeys, settingCases } from './setting-cases.ts';

const violations = (input: unknown) =>
  parse(SettingsOverrides, input).match(
    () => [],
    (invalid) => invalid.violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`),
  );
const keys = Object.keys(overridableSettings) as OverridableKey[];

/** Overrides after a round trip through JSON. */
const asStored = (overrides: SettingsOverrides): Json => JSON.parse(JSON.stringify(overrides)) as Json;

const headerNames = fc.constantFrom('Server', 'server', 'Via', 'X-A', 'x-a', 'Link');
const headerFields = (unique: (field: { name: string; value: string }) => string) =>
  fc.uniqueArray(fc.record({ name: headerNames, value: fc.constantFrom('', 'a', 'B') }), { selector: unique });
const quality = fc.integer({ min: 1, max: 100 });

/** Valid overrides; they may be inconsistent. */
const anyOverrides = fc.record(
  {
    ...Object.fromEntries(keys.map((key) => [key, fc.constantFrom(...settingCases[key].accepted)])),
    imageOptimizationJpegQualityMin: quality,
    imageOptimizationJpegQualityTarget: quality,
    imageOptimizationJpegQualityMax: quality,
    imageOptimizationPngQualityMin: quality,
    imageOptimizationPngQualityMax: quality,
    headersResponseRemove: fc.uniqueArray(headerNames, { selector: (name) => name.toLowerCase() }),
    headersResponseSet: headerFields(({ name }) => name.toLowerCase()),
    headersResponseAdd: headerFields(({ name, value }) => `${name.toLowerCase()}:${value}`),
  },
  { requiredKeys: [] },
);

describe('SettingsOverrides', () => {
  it('has exactly the keys of the interface', () => {
    expect(keys).to.have.members([...overridableKeys]);
  });

  it('fills in nothing', () => {
    expect(SettingsOverrides.parse({})).to.deep.equal({});
  });

  it('rejects zone-only settings, unknown members, and anything but an object', () => {
    const zoneOnly = Object.keys(settingCases).filter((key) => !overridableKeys.includes(key));
    expect(zoneOnly).to.have.length(11);
    for (const key of zoneOnly) expect(violations({ [key]: true })).to.deep.equal([`${key} member.unknown`]);
    expect(violations({ cachingEnabled: true })).to.deep.equal(['cachingEnabled member.unknown']);
    expect(violations([])).to.deep.equal([' member.type']);
  });

  it('fills omitted members of an object with their defaults, not with the values of the zone', () => {
    expect(
      SettingsOverrides.parse({ cachingDynamicCacheKey: {}, cachingStaticCacheKey: { uri: false }, basicAuth: {} }),
    ).to.deep.equal({
      cachingDynamicCacheKey: {
        uri: true,
        varyByHostname: true,
        varyByCookie: [],
        varyByCountry: false,
        varyByHeader: [],
      },
      cachingStaticCacheKey: { uri: false, varyByHostname: true, varyByQueryString: [] },
      basicAuth: { enabled: false, allowedUserIds: [] },
    });
  });

  it('reports all violations at once', () => {
    const input = { enabled: 1, cachingDefaultTtl: 1e9, underAttack: true, basicAuth: { allowedUserIds: ['a'] } };
    expect(violations(input)).to.have.members([
      'enabled member.type',
      'cachingDefaultTtl settings.range',
      'underAttack member.unknown',
      'basicAuth.allowedUserIds[0] value.format',
    ]);
  });

  for (const key of keys) {
    const { accepted, completed = [], refused, nullable } = settingCases[key];
    describe(key, () => {
      for (const [written, read] of [...accepted.map((value) => [value, value] as const), ...completed]) {
        it(`takes ${shown(written)}`, () => {
          const overrides = SettingsOverrides.parse({ [key]: written });
          expect(overrides).to.deep.equal({ [key]: read });
          expect(SettingsOverrides.parse(asStored(overrides))).to.deep.equal(overrides);
        });
      }
      for (const [value, ...expected] of refused) {
        it(`refuses ${shown(value)}`, () => {
          expect(violations({ [key]: value })).to.deep.equal(expected.map((each) => `${key}${each}`));
        });
      }
      it(nullable ? 'treats null as no override' : 'refuses null', () => {
        if (nullable) expect(SettingsOverrides.parse({ [key]: null })).to.deep.equal({});
        else expect(violations({ [key]: null })).to.deep.equal([`${key} member.type`]);
      });
      it('is no longer overridden once a merge patch sets it to null', () => {
        for (const written of accepted) {
          const before = SettingsOverrides.parse({ [key]: written });
          expect(SettingsOverrides.parse(mergePatch(asStored(before), { [key]: null }))).to.deep.equal({});
        }
      });
    });
  }

  it('reads back what was written, whatever the combination', () => {
    fc.assert(
      fc.property(anyOverrides, (written) => {
        const read = SettingsOverrides.parse(written);
        expect(read).to.deep.equal(written);
        expect(SettingsOverrides.parse(asStored(read))).to.deep.equal(read);
      }),
    );
  });

  it('results in complete settings when overlaid on a zone', () => {
    fc.assert(
      fc.property(anyOverrides, (written) => {
        const inForce = overlay(defaultZoneSettings, SettingsOverrides.parse(written));
        expect(ZoneSettings.parse(inForce)).to.deep.equal(inForce);
      }),
    );
  });

  it('has the same violations on a valid zone as the overlaid settings', () => {
    fc.assert(
      fc.property(anyOverrides, (written) => {
        const overrides = SettingsOverrides.parse(written);
        const found = inconsistenciesWith(defaultZoneSettings, overrides, 'overrides');
        const codes = new Set(inconsistencies(overlay(defaultZoneSettings, overrides)).map(({ code }) => code));
        expect(new Set(found.map(({ code }) => code))).to.deep.equal(codes);
        for (const { propertyPath } of found) expect(overrides).to.have.nested.property(propertyPath);
      }),
    );
  });
});

import { expect } from 'chai';
import { z } from 'zod';
import { type Json, mergePatch } from '../../../src/kernel/shared/json.ts';
import { parse } from '../../../src/kernel/shared/parse.ts';
import {
  allSettings,
  defaultZoneSettings,
  type SettingKey,
  ZoneSettings,
} from '../../../src/zones/settings/settings.ts';
import { shown } from './setting-case.ts';
import { settingCases } from './setting-cases.ts';

const violations = (input: unknown) =>
  parse(ZoneSettings, input).match(
    () => [],
    (invalid) => invalid.violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`),
  );
const keys = Object.keys(settingCases) as SettingKey[];

/** Settings after a round trip through JSON. */
const asStored = (settings: ZoneSettings): Json => JSON.parse(JSON.stringify(settings)) as Json;

describe('ZoneSettings', () => {
  it('has exactly the keys of the cases below', () => {
    expect(Object.keys(allSettings)).to.have.members(keys);
  });

  it('fills omitted keys with their defaults and omits keys without a value', () => {
    const defaults = keys.flatMap((key) =>
      settingCases[key].default === undefined ? [] : [[key, settingCases[key].default] as const],
    );
    expect(ZoneSettings.parse({})).to.deep.equal(Object.fromEntries(defaults));
    expect(defaultZoneSettings).to.deep.equal(Object.fromEntries(defaults));
  });

  it('gives every zone its own objects', () => {
    const [one, other] = [ZoneSettings.parse({}), ZoneSettings.parse({})];
    expect(one.cachingCustomCacheTagHeaders[0]).not.to.equal(other.cachingCustomCacheTagHeaders[0]);
    expect(one.cachingDynamicCacheKey).not.to.equal(other.cachingDynamicCacheKey);
  });

  it('rejects unknown members, and anything but an object', () => {
    expect(violations({ cachingEnabled: true })).to.deep.equal(['cachingEnabled member.unknown']);
    expect(violations([])).to.deep.equal([' member.type']);
    expect(violations(null)).to.deep.equal([' member.type']);
  });

  it('reports all violations at once', () => {
    const input = {
      cachingDefaultTtl: -1,
      backendPortOverride: '80',
      headersResponseSet: [{ name: 'Set-Cookie', value: ' x' }, { name: 'a' }],
      cachingStaticCacheKey: { uri: false, varyByHostname: false, varyByQueryString: ['a', 'a', ''] },
      customPagesErrorHtml: 1,
      ttl: 1,
    };
    expect(violations(input)).to.have.members([
      'cachingDefaultTtl settings.range',
      'backendPortOverride member.type',
      'headersResponseSet[0].name settings.header.forbidden',
      'headersResponseSet[0].value settings.header.value',
      'headersResponseSet[1].value member.required',
      'cachingStaticCacheKey.varyByQueryString[2] text.tooShort',
      'cachingStaticCacheKey.varyByQueryString[1] list.duplicate',
      'customPagesErrorHtml member.type',
      'ttl member.unknown',
    ]);
  });

  it('reads back what was written together, in full', () => {
    const written = { headersResponseRemove: ['Server', 'via'], customPagesErrorHtml: ' <p> ', cachingDefaultTtl: 0 };
    const read = ZoneSettings.parse(written);
    expect(read).to.deep.equal({ ...defaultZoneSettings, ...written });
    expect(ZoneSettings.parse(read)).to.deep.equal(read);
  });

  for (const key of keys) {
    const { accepted, completed = [], refused, nullable } = settingCases[key];
    describe(key, () => {
      for (const [written, read] of [...accepted.map((value) => [value, value] as const), ...completed]) {
        it(`takes ${shown(written)}`, () => {
          const settings = ZoneSettings.parse({ [key]: written });
          expect(settings[key]).to.deep.equal(read);
          expect(ZoneSettings.parse(asStored(settings))).to.deep.equal(settings);
        });
      }
      for (const [value, ...expected] of refused) {
        it(`refuses ${shown(value)}`, () => {
          expect(violations({ [key]: value })).to.deep.equal(expected.map((each) => `${key}${each}`));
        });
      }
      const [, ofNull = ' member.type'] = refused.find(([value]) => value === null) ?? [];
      it(nullable ? 'treats null as no value' : 'refuses null', () => {
        if (nullable) expect(ZoneSettings.parse({ [key]: null })).to.deep.equal(defaultZoneSettings);
        else expect(violations({ [key]: null })).to.deep.equal([`${key}${ofNull}`]);
      });
      it('gets its default again when a merge patch sets it to null', () => {
        for (const written of accepted) {
          const before = ZoneSettings.parse({ enabled: false, underAttack: true, [key]: written });
          const { [key]: after, ...others } = ZoneSettings.parse(mergePatch(asStored(before), { [key]: null }));
          const { [key]: _, ...othersBefore } = before;
          expect(after).to.deep.equal(settingCases[key].default);
          expect(others).to.deep.equal(othersBefore);
        }
      });
    });
  }
});

const defaultIn = (schema: unknown) => (schema as { readonly default?: unknown } | undefined)?.default;

describe('the JSON Schema of ZoneSettings', () => {
  const written = z.toJSONSchema(ZoneSettings, { io: 'input' });
  const read = z.toJSONSchema(ZoneSettings, { io: 'output' });

  it('describes every key with its default', () => {
    for (const key of keys) {
      expect(written.properties?.[key], key).to.include({ description: allSettings[key].description });
      expect(defaultIn(written.properties?.[key]), key).to.deep.equal(settingCases[key].default);
    }
  });

  it('requires nothing on write and every key with a default on read', () => {
    expect(written.required).to.equal(undefined);
    expect(read.required).to.have.members(keys.filter((key) => settingCases[key].default !== undefined));
  });

  it('allows null on write but never on read for optional values', () => {
    const port = { type: 'integer', minimum: 1, maximum: 65_535 };
    expect(written.properties?.['backendPortOverride']).to.deep.include({ anyOf: [port, { type: 'null' }] });
    expect(read.properties?.['backendPortOverride']).to.include(port);
  });
});

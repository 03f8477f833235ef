import { expect } from 'chai';
import * as fc from 'fast-check';
import { hasValidChecksum } from '../../../src/kernel/shared/checksummed-token.ts';
import { parse } from '../../../src/kernel/shared/parse.ts';
import type { Randomness } from '../../../src/kernel/shared/randomness.ts';
import { defaultZoneSettings } from '../../../src/zones/settings/settings.ts';
import { maskedBanToken, newBanToken, unreadableBanToken } from '../../../src/zones/zones/ban-token.ts';
import { EnvironmentTag, ZoneDraft, zoneVersion } from '../../../src/zones/zones/zone.ts';

const codesOf = (schema: typeof EnvironmentTag | typeof ZoneDraft, input: unknown): readonly string[] =>
  parse(schema, input).match(
    () => [],
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`.trim()),
  );

describe('EnvironmentTag', () => {
  const accepted: readonly (readonly [input: string, tag: string])[] = [
    ['prod', 'prod'],
    ['stage', 'stage'],
    ['dev', 'dev'],
    ['Prod', 'prod'],
    ['STAGE', 'stage'],
    ['dEv', 'dev'],
  ];
  for (const [input, tag] of accepted) {
    it(`keeps ${input} as ${tag}`, () => {
      expect(EnvironmentTag.parse(input)).to.equal(tag);
    });
  }

  for (const input of ['', 'production', ' prod', 'prod ', 'test', '__proto__', 'ſtage']) {
    it(`rejects ${JSON.stringify(input)} with one violation`, () => {
      expect(codesOf(EnvironmentTag, input)).to.deep.equal(['value.choice']);
    });
  }

  it('rejects non-strings', () => {
    expect(codesOf(EnvironmentTag, 1)).to.deep.equal(['member.type']);
    expect(codesOf(EnvironmentTag, ['prod'])).to.deep.equal(['member.type']);
  });
});

describe('ZoneDraft', () => {
  it('fills the tag and all settings', () => {
    expect(ZoneDraft.parse({ name: ' Shop ' })).to.deep.equal({
      name: 'Shop',
      tag: 'prod',
      hostnames: [],
      zone_settings: defaultZoneSettings,
    });
  });

  it('fills in omitted settings, and keeps the others', () => {
    const draft = ZoneDraft.parse({ name: 'Shop', zone_settings: { underAttack: true } });
    expect(draft.zone_settings).to.deep.equal({ ...defaultZoneSettings, underAttack: true });
  });

  const refused: readonly (readonly [input: unknown, ...codes: string[]])[] = [
    [{}, 'name member.required'],
    [{ name: '  ' }, 'name text.tooShort'],
    [{ name: 'x'.repeat(256) }, 'name text.tooLong'],
    [{ name: 'Shop', tag: 'x' }, 'tag value.choice'],
    [{ name: 'Shop', tag: null }, 'tag member.type'],
    [{ name: 'Shop', organization: 0 }, 'organization number.range'],
    [{ name: 'Shop', organization: 2_147_483_648 }, 'organization number.range'],
    [{ name: 'Shop', zone_settings: null }, 'zone_settings member.type'],
    [{ name: 'Shop', banToken: 'ban_x' }, 'banToken member.unknown'],
    [{ name: 'Shop', zone_settings: { x: 1 } }, 'zone_settings.x member.unknown'],
    [{ tag: 'x', extra: 1 }, 'name member.required', 'tag value.choice', 'extra member.unknown'],
  ];
  for (const [input, ...codes] of refused) {
    it(`finds ${codes.join(', ')}`, () => {
      expect(codesOf(ZoneDraft, input)).to.deep.equal(codes);
    });
  }
});

describe('newBanToken', () => {
  const drawing = (drawn: string): Randomness => ({
    uuid: () => expect.fail('A ban token is no UUID.'),
    token: () => expect.fail('A ban token is written in base62.'),
    base62: (length) => drawn.slice(0, length),
    base32: () => expect.fail('A ban token is written in base62.'),
  });

  it('is ban_, 30 random characters and a 6-character checksum', () => {
    const drawn = fc.string({ unit: fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z'), minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(drawn, (random) => {
        const token = newBanToken(drawing(random));
        expect(token).to.match(/^ban_[0-9A-Za-z]{36}$/);
        expect(token.slice(4, 34)).to.equal(random);
        expect(hasValidChecksum(token)).to.equal(true);
      }),
    );
  });
});

describe('maskedBanToken', () => {
  it('is as long as a token but cannot be one', () => {
    expect(maskedBanToken).to.have.length(40);
    expect(maskedBanToken).to.match(/^ban_\*+$/);
    expect(hasValidChecksum(maskedBanToken)).to.equal(false);
  });
});

describe('unreadableBanToken', () => {
  it('is as long as a token but neither one nor masked', () => {
    expect(unreadableBanToken).to.have.length(40);
    expect(unreadableBanToken).not.to.equal(maskedBanToken);
    expect(hasValidChecksum(unreadableBanToken)).to.equal(false);
  });
});

describe('zoneVersion', () => {
  it('differs for every revision', () => {
    expect(zoneVersion({ revision: 1 })).not.to.equal(zoneVersion({ revision: 2 }));
  });
});

import { expect } from 'chai';
import { err } from 'neverthrow';
import { parse } from '../../../src/kernel/shared/parse.ts';
import { invalidInput } from '../../../src/kernel/shared/violation.ts';
import {
  CookieName,
  FieldValue,
  headerName,
  isRefusedInCacheKey,
  isRefusedInResponseSet,
  isRefusedOnRequest,
  isRefusedOnResponse,
} from '../../../src/zones/settings/headers.ts';

const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));

describe('CookieName', () => {
  it('consists of the token characters of RFC 9110 section 5.6.2 and no others', () => {
    const allowed = characters.filter((character) => CookieName.safeParse(character).success).join('');
    expect(allowed).to.equal("!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~");
  });
});

describe('headerName', () => {
  it('reports a refused name as refused, not as invalid', () => {
    const refused = { code: 'settings.header.forbidden', message: 'This header cannot be used here.' };
    expect(parse(headerName(isRefusedOnRequest), ':path')).to.deep.equal(
      err(invalidInput([{ propertyPath: '', ...refused }])),
    );
  });
});

describe('FieldValue', () => {
  it('has visible ASCII and obs-text at its ends, and spaces and tabs in between (RFC 9110 section 5.5)', () => {
    const visible = characters.filter((character) => /[!-~]|[\x80-\xff]/.test(character));
    expect(characters.filter((character) => FieldValue.safeParse(character).success)).to.deep.equal(visible);
    const inner = characters.filter((character) => FieldValue.safeParse(`a${character}b`).success);
    expect(inner).to.deep.equal(['\t', ' ', ...visible]);
  });

  it('may be empty', () => {
    expect(FieldValue.parse('')).to.equal('');
  });

  it('is checked in linear time', () => {
    const started = process.cpuUsage();
    for (let round = 0; round < 1000; round += 1) {
      FieldValue.safeParse(`a${' '.repeat(4095)}`);
      FieldValue.safeParse(`${'a '.repeat(2047)}\n`);
    }
    expect(process.cpuUsage(started).user / 1000 / 2000).to.be.below(5);
  });
});

describe('the refused headers', () => {
  const names = ['Host', 'TE', 'X-Real-IP', 'Age', 'Set-Cookie', 'Upgrade', 'If-Match', 'Cookie', ':path', 'Accept'];
  const cases = [
    { use: 'on a request', isRefused: isRefusedOnRequest, refused: ['Host', 'TE', 'X-Real-IP', 'Upgrade', ':path'] },
    { use: 'on a response', isRefused: isRefusedOnResponse, refused: ['Age', 'Upgrade', ':path'] },
    {
      use: 'replaced on a response',
      isRefused: isRefusedInResponseSet,
      refused: ['Age', 'Set-Cookie', 'Upgrade', ':path'],
    },
    {
      use: 'in a cache key',
      isRefused: isRefusedInCacheKey,
      refused: ['Host', 'TE', 'Upgrade', 'If-Match', 'Cookie', ':path'],
    },
  ];
  for (const { use, isRefused, refused } of cases) {
    it(`${use} are recognized in any case`, () => {
      expect(names.filter(isRefused)).to.deep.equal(refused);
      expect(names.filter((name) => isRefused(name.toUpperCase()))).to.deep.equal(refused);
      expect(names.filter((name) => isRefused(name.toLowerCase()))).to.deep.equal(refused);
    });
  }
});

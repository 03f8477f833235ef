import { expect } from 'chai';
import * as fc from 'fast-check';
import { checksummedToken, hasValidChecksum } from '../../../src/kernel/shared/checksummed-token.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number in the last six characters. */
const checksumOf = (token: string): number =>
  Array.from(token.slice(-6)).reduce((value, digit) => value * 62 + base62.indexOf(digit), 0);

const aDigit = fc.nat({ max: base62.length - 1 }).map((index) => base62.charAt(index));
const aToken = fc
  .array(aDigit, { minLength: 1, maxLength: 40 })
  .map((random) => checksummedToken('zw_', random.join('')));

describe('checksummedToken', () => {
  // 123456789 is the check value of the catalogue of parametrised CRC algorithms, entry CRC-32/ISO-HDLC.
  const known: readonly (readonly [text: string, crc: number])[] = [
    ['123456789', 0xcbf43926],
    ['', 0],
    ['a', 0xe8b7be43],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ];
  for (const [text, crc] of known) {
    it(`ends in the CRC-32 of "${text}", ${crc.toString(16)}, as six base62 digits`, () => {
      const token = checksummedToken(text, '');
      expect(token.slice(0, -6)).to.equal(text);
      expect(checksumOf(token)).to.equal(crc);
    });
  }

  it('covers prefix and random part together', () => {
    expect(checksummedToken('1234', '56789')).to.equal(checksummedToken('123456789', ''));
  });

  it('pads a small checksum with zeros', () => {
    expect(checksummedToken('', '')).to.equal('000000');
  });
});

describe('hasValidChecksum', () => {
  it('accepts every generated token', () => {
    fc.assert(fc.property(aToken, hasValidChecksum));
  });

  it('detects one changed character, wherever it is', () => {
    fc.assert(
      fc.property(aToken, fc.nat(), aDigit, (token, pick, other) => {
        const index = pick % token.length;
        fc.pre(token.charAt(index) !== other);
        expect(hasValidChecksum(token.slice(0, index) + other + token.slice(index + 1))).to.equal(false);
      }),
    );
  });

  it('detects two swapped neighbours', () => {
    fc.assert(
      fc.property(aToken, fc.nat(), (token, pick) => {
        const index = pick % (token.length - 1);
        const [left, right] = [token.charAt(index), token.charAt(index + 1)];
        fc.pre(left !== right);
        expect(hasValidChecksum(token.slice(0, index) + right + left + token.slice(index + 2))).to.equal(false);
      }),
    );
  });

  it('detects a missing and an additional character', () => {
    const token = checksummedToken('ban_', 'A'.repeat(30));
    expect(hasValidChecksum(token.slice(0, -1))).to.equal(false);
    expect(hasValidChecksum(`${token}0`)).to.equal(false);
    expect(hasValidChecksum(token.toLowerCase())).to.equal(false);
  });

  for (const short of ['', '0', '00000', '000000']) {
    it(`rejects ${JSON.stringify(short)}, which is nothing but a checksum`, () => {
      expect(hasValidChecksum(short)).to.equal(false);
    });
  }
});

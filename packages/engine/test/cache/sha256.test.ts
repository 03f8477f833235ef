import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { sha256 } from '../../src/cache/sha256.ts';

describe('sha256', () => {
  const vectors = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ] as const;
  for (const [text, hash] of vectors) {
    it(`hashes ${JSON.stringify(text)} as FIPS 180-4 does`, () => {
      expect(sha256(text)).to.equal(hash);
    });
  }

  it('agrees with Node for all lengths around a block, and for any bytes', () => {
    const expected = (bytes: string) => createHash('sha256').update(bytes, 'latin1').digest('hex');
    for (let length = 0; length < 200; length += 1) {
      const bytes = '\xff'.repeat(length);
      expect(sha256(bytes)).to.equal(expected(bytes));
    }
    const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => String.fromCharCode(...each));
    fc.assert(fc.property(bytes, (each) => sha256(each) === expected(each)));
  });
});

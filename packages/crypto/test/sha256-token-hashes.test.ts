import { expect } from 'chai';
import { sha256TokenHashes } from '../src/sha256-token-hashes.ts';

describe('sha256TokenHashes', () => {
  it('returns the SHA-256 of the token in lower-case hex', () => {
    // FIPS 180-2, appendix B.1.
    expect(sha256TokenHashes().of('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

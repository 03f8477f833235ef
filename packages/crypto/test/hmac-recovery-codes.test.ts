import { type RecoveryCode, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { hmacRecoveryCodes } from '../src/hmac-recovery-codes.ts';
import type { KeyRing } from '../src/key-ring.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const ringOf = (current: string, keys: Readonly<Record<string, number>>): KeyRing => ({
  current,
  keys: new Map(Object.entries(keys).map(([kid, byte]) => [kid, key(byte)])),
});

const user = UserId.parse('01958f2e-0000-7000-8000-000000000001');
const otherUser = UserId.parse('01958f2e-0000-7000-8000-000000000002');
const code = '0123456789ABCDEFGHJKMNPQ' as RecoveryCode;
const otherCode = '0123456789ABCDEFGHJKMNPR' as RecoveryCode;

const before = hmacRecoveryCodes(ringOf('a', { a: 1 }));
const rotated = hmacRecoveryCodes(ringOf('b', { a: 1, b: 2 }));
const after = hmacRecoveryCodes(ringOf('b', { b: 2 }));
const macOf = (hash: string) => hash.split('.')[1];

describe('hmacRecoveryCodes.of', () => {
  it('is the key id and the HMAC-SHA-256 over user id and code, which stored hashes depend on', () => {
    expect(before.of(user, code)).to.equal('a.4ds46uF7nsLKkKajMlEFgj45LeLq6fjoCtotj_ZqTvI');
    expect(after.of(user, code)).to.equal('b.zwZcspnqRoh8IhBa-BWXjpoIDG8kxOzJvNBnZKWb6Q4');
  });

  it('uses the current key', () => {
    expect(rotated.of(user, code)).to.equal(after.of(user, code));
  });

  it('differs from user to user, from code to code and from key to key', () => {
    const hashes = [
      before.of(user, code),
      before.of(otherUser, code),
      before.of(user, otherCode),
      after.of(user, code),
    ];
    expect(new Set(hashes.map(macOf)).size).to.equal(hashes.length);
  });

  it('does not contain the code', () => {
    expect(before.of(user, code)).not.to.contain(code);
  });
});

describe('hmacRecoveryCodes.candidates', () => {
  it('starts with the hash by the current key and includes every older one', () => {
    expect(rotated.candidates(user, code)).to.deep.equal([after.of(user, code), before.of(user, code)]);
    expect(before.candidates(user, code)).to.deep.equal([before.of(user, code)]);
  });

  it('finds codes hashed with an older key, until that key is removed', () => {
    const stored = before.of(user, code);
    expect(rotated.candidates(user, code)).to.include(stored);
    expect(after.candidates(user, code)).not.to.include(stored);
  });

  it('never includes another user or another code', () => {
    const candidates = rotated.candidates(user, code);
    for (const hashes of [before, rotated]) {
      expect(candidates).not.to.include(hashes.of(otherUser, code));
      expect(candidates).not.to.include(hashes.of(user, otherCode));
    }
  });
});

describe('hmacRecoveryCodes', () => {
  it('does not start with a ring whose current key is missing or short', () => {
    expect(() => hmacRecoveryCodes(ringOf('c', { a: 1 }))).to.throw('"c"');
    expect(() => hmacRecoveryCodes({ current: 'a', keys: new Map([['a', new Uint8Array(31)]]) })).to.throw('shorter');
  });
});

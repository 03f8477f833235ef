import { expect } from 'chai';
import { aesSecretBox } from '../src/aes-secret-box.ts';
import { comparableSecretBox } from '../src/comparable-secret-box.ts';
import type { KeyRing } from '../src/key-ring.ts';

const ringOf = (current: string, keys: Readonly<Record<string, number>>): KeyRing => ({
  current,
  keys: new Map(Object.entries(keys).map(([kid, byte]) => [kid, new Uint8Array(32).fill(byte)])),
});

describe('comparableSecretBox', () => {
  const before = comparableSecretBox(ringOf('a', { a: 1 }));
  const rotated = comparableSecretBox(ringOf('b', { a: 1, b: 2 }));

  it('opens what it has sealed in the same context, also with an old key, and nothing else', () => {
    const sealed = before.seal('secret', 'here');
    expect(sealed).to.match(/^v1\.a\./);
    expect(rotated.open(sealed, 'here')).to.equal('secret');
    expect([before.isCurrent(sealed), rotated.isCurrent(sealed)]).to.deep.equal([true, false]);
    expect(() => before.open(sealed, 'there')).to.throw();
    expect(() => comparableSecretBox(ringOf('b', { b: 2 })).open(sealed, 'here')).to.throw('not in the key ring');
    expect(() => aesSecretBox(ringOf('a', { a: 1 })).open(sealed, 'here')).to.throw();
  });

  it('opens what was stored before', () => {
    expect(before.open('v1.a.QVz77_5HQY93Hccd.xW0H_8xa.SNxRbRlc5Y7FlcbNrZOSfA', 'here')).to.equal('secret');
  });

  it('has the same hash for the same text, which stored hashes depend on', () => {
    expect(before.hash('secret')).to.equal('hmac.eje0gJT_aJlG_ZJTD0eeQEqJEfob_i63scL');
    expect(before.hash('secret')).to.match(/^hmac\.[\w-]{35}$/);
  });

  it('has another hash for another text and another current key', () => {
    const hashes = [before.hash('secret'), before.hash('Secret'), rotated.hash('secret')];
    expect(new Set(hashes).size).to.equal(3);
    expect(rotated.hash('secret')).to.equal(comparableSecretBox(ringOf('b', { b: 2 })).hash('secret'));
  });
});

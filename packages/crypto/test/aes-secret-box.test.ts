import { expect } from 'chai';
import { aesSecretBox } from '../src/aes-secret-box.ts';
import type { KeyRing } from '../src/key-ring.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const oldRing: KeyRing = { current: 'a', keys: new Map([['a', key(1)]]) };
const rotatedRing: KeyRing = {
  current: 'b',
  keys: new Map([
    ['a', key(1)],
    ['b', key(2)],
  ]),
};
const newRing: KeyRing = { current: 'b', keys: new Map([['b', key(2)]]) };
const context = 'outbox.payload.01958f2e-0000-7000-8000-000000000001';
const box = aesSecretBox(oldRing);

describe('aesSecretBox', () => {
  for (const plaintext of ['secret', '', 'Übergröße \u{1f511}', 'x'.repeat(100_000)]) {
    it(`opens what it sealed: ${JSON.stringify(plaintext.slice(0, 12))}`, () => {
      expect(box.open(box.seal(plaintext, context), context)).to.equal(plaintext);
    });
  }

  it('contains version, key id, nonce, ciphertext and tag, but not the plaintext', () => {
    const sealed = box.seal('secret', context);
    expect(sealed).to.match(/^v1\.a\.[\w-]{16}\.[\w-]{8}\.[\w-]{22}$/);
    expect(sealed).not.to.contain(Buffer.from('secret').toString('base64url'));
  });

  it('seals the same value differently every time', () => {
    expect(box.seal('secret', context)).not.to.equal(box.seal('secret', context));
  });

  it('does not open a value that was moved to another record', () => {
    const sealed = box.seal('secret', context);
    expect(() => box.open(sealed, `${context}x`)).to.throw();
    expect(() => box.open(sealed, '')).to.throw();
  });

  it('does not open a value with any one character changed, added or removed', () => {
    const sealed = box.seal('secret', context);
    for (let index = 0; index < sealed.length; index += 1) {
      const [before, after] = [sealed.slice(0, index), sealed.slice(index + 1)];
      const other = sealed[index] === 'A' ? 'B' : 'A';
      for (const altered of [before + other + after, before + after, `${before}*${sealed.slice(index)}`]) {
        expect(() => box.open(altered, context), altered).to.throw();
      }
    }
  });

  it('does not open a value with a truncated tag', () => {
    const parts = box.seal('secret', context).split('.');
    const shortened = Buffer.from(parts[4] ?? '', 'base64url')
      .subarray(0, 12)
      .toString('base64url');
    expect(() => box.open([...parts.slice(0, 4), shortened].join('.'), context)).to.throw('malformed');
  });

  it('does not open a combination of two values', () => {
    const [first, second] = ['one', 'two'].map((text) => box.seal(text, context).split('.'));
    expect(() => box.open([...(first ?? []).slice(0, 3), ...(second ?? []).slice(3)].join('.'), context)).to.throw();
  });

  it('opens values of an old key while the key is in the ring, and seals with the new one', () => {
    const old = box.seal('secret', context);
    const rotated = aesSecretBox(rotatedRing);
    expect(rotated.open(old, context)).to.equal('secret');
    expect(rotated.seal('secret', context)).to.match(/^v1\.b\./);
    expect(aesSecretBox(newRing).open(rotated.seal('secret', context), context)).to.equal('secret');
    expect(() => aesSecretBox(newRing).open(old, context)).to.throw('not in the key ring');
  });

  it('does not open a value under the id of another key, even one with the same bytes', () => {
    const twins = aesSecretBox({
      current: 'a',
      keys: new Map([
        ['a', key(1)],
        ['b', key(1)],
      ]),
    });
    expect(() => twins.open(twins.seal('secret', context).replace('v1.a.', 'v1.b.'), context)).to.throw();
  });

  it('never reveals the plaintext or the key in its errors', () => {
    const sealed = box.seal('secret', context);
    for (const attempt of [
      () => box.open(sealed, 'x'),
      () => box.open('v1.a.x', context),
      () => box.open('', context),
    ]) {
      expect(attempt).to.throw().with.property('message').that.does.not.contain('secret');
    }
  });

  it('does not start with a ring whose current key is missing or short', () => {
    expect(() => aesSecretBox({ current: 'c', keys: rotatedRing.keys })).to.throw('"c"');
    expect(() => aesSecretBox({ current: 'a', keys: new Map([['a', new Uint8Array(16)]]) })).to.throw('shorter');
  });
});

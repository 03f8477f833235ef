import { expect } from 'chai';
import { nodeRandomness } from '../src/node-randomness.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const millisecondOf = (uuid: string) => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Whether each text is greater than the one before. */
const isAscending = (texts: readonly string[]) =>
  texts.every((text, index) => index === 0 || text > (texts[index - 1] ?? ''));

describe('nodeRandomness.uuid', () => {
  it('is a version 7 UUID with its timestamp', () => {
    const now = Date.parse('2026-03-01T12:00:00.123Z');
    const uuid = nodeRandomness({ now: () => now }).uuid();
    expect(uuid).to.match(uuidV7);
    expect(millisecondOf(uuid)).to.equal(now);
  });

  it('uses the system clock by default', () => {
    const before = Date.now();
    expect(millisecondOf(nodeRandomness().uuid())).to.be.within(before, Date.now());
  });

  it('sorts after all earlier ones, even thousands per millisecond', () => {
    const randomness = nodeRandomness({ now: () => 1_000_000 });
    const uuids = times(10_000, () => randomness.uuid());
    expect(isAscending(uuids)).to.equal(true);
    expect(uuids.every((uuid) => uuidV7.test(uuid))).to.equal(true);
    const now = nodeRandomness();
    expect(isAscending(times(10_000, () => now.uuid()))).to.equal(true);
  });

  it('does not run backwards with the clock', () => {
    const readings = [5000, 4000, 4001, 5000, 5001];
    let index = 0;
    const randomness = nodeRandomness({ now: () => readings[index++] ?? 0 });
    expect(isAscending(times(readings.length, () => randomness.uuid()))).to.equal(true);
  });

  it('differs between processes in the same millisecond', () => {
    const makers = times(1000, () => nodeRandomness({ now: () => 1_000_000 }));
    expect(new Set(makers.map((randomness) => randomness.uuid())).size).to.equal(1000);
  });
});

describe('nodeRandomness.token', () => {
  it('is 32 random bytes in base64url', () => {
    const randomness = nodeRandomness();
    const tokens = times(1000, () => randomness.token());
    expect(
      tokens.every((token) => /^[\w-]{43}$/.test(token) && Buffer.from(token, 'base64url').length === 32),
    ).to.equal(true);
    expect(new Set(tokens).size).to.equal(1000);
  });
});

describe('nodeRandomness.base62', () => {
  it('has the requested number of characters, digits and letters only', () => {
    for (const length of [0, 1, 30, 100]) {
      expect(nodeRandomness().base62(length)).to.match(new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }
  });

  it('draws every character about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of nodeRandomness().base62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).to.equal(62);
    // The expected count is 1,000 with a standard deviation of 32; modulo bias would give some digits 1,210.
    expect(Math.min(...counts.values())).to.be.greaterThan(800);
    expect(Math.max(...counts.values())).to.be.lessThan(1200);
  });
});

describe('nodeRandomness.base32', () => {
  it("has the requested number of characters of Crockford's alphabet", () => {
    for (const length of [0, 1, 24, 100]) {
      expect(nodeRandomness().base32(length)).to.match(new RegExp(`^[0-9A-HJKMNP-TV-Z]{${length}}$`));
    }
  });

  it('draws every character about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of nodeRandomness().base32(32_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).to.equal(32);
    // The expected count is 1,000 with a standard deviation of 31.
    expect(Math.min(...counts.values())).to.be.greaterThan(800);
    expect(Math.max(...counts.values())).to.be.lessThan(1200);
  });

  it('differs every time', () => {
    const randomness = nodeRandomness();
    expect(new Set(times(1000, () => randomness.base32(24))).size).to.equal(1000);
  });
});

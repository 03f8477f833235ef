import type { Password, PasswordAttempt, PasswordHash } from '@zonewright/core';
import { expect } from 'chai';
import { ok, type ResultAsync } from 'neverthrow';
import { argon2Passwords } from '../src/argon2-passwords.ts';
import { hashingGate } from '../src/hashing-gate.ts';

const password = (text: string) => text as Password;
const attempt = (text: string) => text as PasswordAttempt;
const hashFrom = (text: string) => text as PasswordHash;
const salt = 'c29tZXNhbHRzb21lc2FsdA';
const digest = 'q1u4mZ3m3v0b1m8o5oG7mXw2b6r0Yw8Q3l5Jc2x9d8E';
const stored = (parameters: string) => hashFrom(`$argon2id$v=19$${parameters}$${salt}$${digest}`);

const gate = hashingGate();
const passwords = argon2Passwords(gate);
const hashed = async (text: string, by = passwords) =>
  (await by.hash(password(text))).match(
    (hash) => hash,
    ({ type }) => expect.fail(type),
  );

/** The rejection reason of `work`. */
const rejection = (work: ResultAsync<unknown, unknown>): PromiseLike<unknown> =>
  work.then(
    () => undefined,
    (cause: unknown) => cause,
  );

/** Microseconds of processor time, which other processes do not prolong as they do the time that passes. */
async function processorTimeOf(work: () => ResultAsync<unknown, unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('argon2Passwords', () => {
  it('creates argon2id hashes with a 16-byte salt and a 32-byte hash in PHC string format', async () => {
    expect(await hashed('Correct-Horse-7')).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('hashes the same password differently every time', async () => {
    expect(await hashed('Correct-Horse-7')).not.to.equal(await hashed('Correct-Horse-7'));
  });

  it('verifies only the hashed password', async () => {
    const hash = await hashed('Correct-Horse-7');
    expect(await passwords.verify(hash, attempt('Correct-Horse-7'))).to.deep.equal(ok(true));
    expect(await passwords.verify(hash, attempt('correct-horse-7'))).to.deep.equal(ok(false));
    expect(await passwords.verify(hash, attempt(' Correct-Horse-7'))).to.deep.equal(ok(false));
  });

  it('treats two encodings of the same characters as one password', async () => {
    const composed = await hashed('Caf\u00e9 \ufb01n 1');
    expect(await passwords.verify(composed, attempt('Cafe\u0301 fin 1'))).to.deep.equal(ok(true));
    expect(await passwords.verify(composed, attempt('Cafe fin 1'))).to.deep.equal(ok(false));
  });

  for (const [name, character] of [
    ['of four bytes', '\u{1f600}'],
    ['that grow eighteenfold in normalization', '\ufdfa'],
  ] as const) {
    it(`uses every character of the longest allowed password with characters ${name}`, async () => {
      const longest = `Aa1${character.repeat(252)}`;
      const hash = await hashed(longest);
      expect(await passwords.verify(hash, attempt(longest))).to.deep.equal(ok(true));
      expect(await passwords.verify(hash, attempt(longest.slice(0, -character.length)))).to.deep.equal(ok(false));
    });
  }

  it('hashes no more than the first 1,024 bytes of an attempt', async () => {
    const hash = hashFrom(await hashed('a'.repeat(1024)));
    expect(await passwords.verify(hash, attempt(`${'a'.repeat(1024)}b`.repeat(1000)))).to.deep.equal(ok(true));
    expect(await passwords.verify(hash, attempt('a'.repeat(1023)))).to.deep.equal(ok(false));
  });

  it('verifies nothing without a hash', async () => {
    expect(await passwords.verify(undefined, attempt('Correct-Horse-7'))).to.deep.equal(ok(false));
  });

  it('computes as long without a hash as with one', async () => {
    const hash = await hashed('Correct-Horse-7');
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 5; round += 1) {
      times.known.push(await processorTimeOf(() => passwords.verify(hash, attempt('Wrong-Horse-7'))));
      times.unknown.push(await processorTimeOf(() => passwords.verify(undefined, attempt('Wrong-Horse-7'))));
    }
    // The shortest of several runs is the one least disturbed.
    expect(Math.min(...times.unknown) / Math.min(...times.known)).to.be.within(0.5, 2);
  });

  it('still verifies hashes with other parameters', async () => {
    const hash = await hashed(
      'Correct-Horse-7',
      argon2Passwords(gate, { memoryKiB: 20_000, iterations: 3, parallelism: 2 }),
    );
    expect(hash).to.contain('$m=20000,t=3,p=2$');
    expect(await passwords.verify(hash, attempt('Correct-Horse-7'))).to.deep.equal(ok(true));
  });

  for (const parameters of ['m=262145,t=2,p=1', 'm=19456,t=11,p=1', 'm=19456,t=2,p=17', 'm=999999999,t=2,p=1']) {
    it(`refuses to compute a stored hash with ${parameters}`, async () => {
      expect(await rejection(passwords.verify(stored(parameters), attempt('x')))).to.be.instanceOf(Error);
    });
  }

  for (const text of ['', 'plain', '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', 'x'.repeat(10_000)]) {
    it(`treats the stored text ${JSON.stringify(text.slice(0, 20))} as a defect`, async () => {
      const cause = await rejection(passwords.verify(hashFrom(text), attempt('x')));
      expect(cause).to.be.instanceOf(Error);
      if (text !== '') expect(String(cause)).not.to.contain(text);
    });
  }

  for (const parameters of [
    { memoryKiB: 19_455 },
    { iterations: 1 },
    { parallelism: 0 },
    { memoryKiB: 262_145 },
    { iterations: 11 },
    { parallelism: 17 },
    { iterations: Number.NaN },
  ]) {
    it(`does not start with ${Object.entries(parameters).join()}`, () => {
      expect(() => argon2Passwords(gate, parameters)).to.throw(RangeError);
    });
  }
});

describe('argon2Passwords.isOutdated', () => {
  const today = argon2Passwords(gate, { memoryKiB: 20_000, iterations: 3, parallelism: 2 });
  for (const [parameters, outdated] of [
    ['m=20000,t=3,p=2', false],
    ['m=30000,t=4,p=3', false],
    ['m=19999,t=3,p=2', true],
    ['m=20000,t=2,p=2', true],
    ['m=20000,t=3,p=1', true],
    ['m=30000,t=2,p=2', true],
  ] as const) {
    it(`is ${outdated} for ${parameters} when today's are m=20000,t=3,p=2`, () => {
      expect(today.isOutdated(stored(parameters))).to.equal(outdated);
    });
  }
});

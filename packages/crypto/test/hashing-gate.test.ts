import { BasicAuthPassword, hashingBusy, type Password, type PasswordAttempt } from '@zonewright/core';
import type { GateLimits } from '@zonewright/gate';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { argon2Passwords } from '../src/argon2-passwords.ts';
import { bcryptPasswords } from '../src/bcrypt-passwords.ts';
import { concurrencyFor, hashingGate } from '../src/hashing-gate.ts';

/** All slow hashers on one gate, and `occupy`, which holds a place until it is released. */
function hashersAt(limits: Partial<GateLimits>) {
  const gate = hashingGate(limits);
  const [passwords, basicAuthPasswords] = [argon2Passwords(gate), bcryptPasswords(gate)];
  const hashers = {
    'argon2 hash': () => passwords.hash('Correct-Horse-7' as Password),
    'argon2 verification': () => passwords.verify(undefined, 'Correct-Horse-7' as PasswordAttempt),
    'bcrypt hash': () => basicAuthPasswords.hash(BasicAuthPassword.parse('Secret-1')),
  };
  const occupy = () => {
    let end!: () => void;
    const held = gate.run(() => new Promise<void>((resolve) => (end = resolve)));
    return async () => {
      end();
      await held;
    };
  };
  return { hashers, occupy };
}

const names = ['argon2 hash', 'argon2 verification', 'bcrypt hash'] as const;

describe('hashingGate', () => {
  for (const name of names) {
    it(`reports how long to wait if a ${name} finds every place taken`, async () => {
      const { hashers, occupy } = hashersAt({ concurrency: 1, queueLimit: 0, waitSeconds: 5 });
      const free = occupy();
      expect(await hashers[name]()).to.deep.equal(err(hashingBusy(5)));
      await free();
      expect((await hashers[name]()).isOk()).to.equal(true);
    });
  }

  it('rejects a hash that waited too long', async () => {
    const { hashers, occupy } = hashersAt({ concurrency: 1, waitSeconds: 0.001 });
    const free = occupy();
    expect(await hashers['bcrypt hash']()).to.deep.equal(err(hashingBusy(1)));
    await free();
  });
});

describe('defaultConcurrency', () => {
  for (const [cores, threadPoolSize, expected] of [
    [8, '8', 4],
    [2, '8', 2],
    [16, '64', 16],
    [8, undefined, 1],
    [8, '4', 1],
    [8, 'many', 1],
    [1, '8', 1],
  ] as const) {
    it(`is ${expected} on ${cores} cores with UV_THREADPOOL_SIZE ${threadPoolSize ?? 'not set'}`, () => {
      expect(concurrencyFor(cores, threadPoolSize)).to.equal(expected);
    });
  }
});

import { BasicAuthPassword, ImportedPasswordHash } from '@zonewright/core';
import { compare } from 'bcrypt';
import { expect } from 'chai';
import { bcryptPasswords } from '../src/bcrypt-passwords.ts';
import { hashingGate } from '../src/hashing-gate.ts';

const passwords = bcryptPasswords(hashingGate());
const hashed = async (password: string) =>
  (await passwords.hash(BasicAuthPassword.parse(password))).match(
    (hash) => hash,
    ({ type }) => expect.fail(type),
  );

/** Whether the hash is of this password; the library knows the algorithm under a different prefix. */
const isOf = (hash: string, password: string): Promise<boolean> => compare(password, hash.replace(/^\$2y\$/, '$2b$'));

describe('bcryptPasswords', () => {
  it('creates bcrypt hashes of cost 10 with the prefix that every proxy supports', async () => {
    expect(await hashed('Secret-1')).to.match(/^\$2y\$10\$[./A-Za-z0-9]{53}$/);
  });

  it('hashes the same password differently every time', async () => {
    expect(await hashed('Secret-1')).to.not.equal(await hashed('Secret-1'));
  });

  const texts: readonly (readonly [what: string, password: string, another: string])[] = [
    ['8 bytes', '12345678', '12345679'],
    ['letters of several bytes', 'pässwörd', 'passwörd'],
    ['72 bytes', 'a'.repeat(72), `${'a'.repeat(71)}b`],
    ['72 bytes in 18 characters', '😀'.repeat(18), `${'😀'.repeat(17)}😁`],
    ['spaces at its ends', ' Secret-1 ', 'Secret-1'],
  ];
  for (const [what, password, another] of texts) {
    it(`hashes every byte of a password of ${what}`, async () => {
      const hash = await hashed(password);
      expect(await isOf(hash, password)).to.equal(true);
      expect(await isOf(hash, another)).to.equal(false);
    });
  }

  it('creates hashes that could be imported again unchanged', async () => {
    const hash = await hashed('Secret-1');
    expect(ImportedPasswordHash.parse(hash)).to.equal(hash);
  });

  it('ignores bytes beyond the maximum length, which is why longer passwords are refused', async () => {
    const hash = await hashed('a'.repeat(72));
    expect(await isOf(hash, 'a'.repeat(73))).to.equal(true);
    expect(BasicAuthPassword.safeParse('a'.repeat(73)).success).to.equal(false);
  });
});

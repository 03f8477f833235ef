import {
  accountInactive,
  hashingBusy,
  invalidCredentials,
  type PasswordHash,
  type PasswordHashes,
  type TotpSecret,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok, okAsync } from 'neverthrow';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aLogin, aUser, changeUser, email, noClient, storedUser, tokensOf, watched } from '../../../support/people.ts';
import { aWorld, days, everythingIn, inTables, type World } from '../../../support/world.ts';

const aWorldWithUser = async () => {
  const world = aWorld();
  return { world, id: await aUser(world), signIn: logIn(world) };
};

describe('logIn', () => {
  it('opens a session with its first refresh token', async () => {
    const { world, id, signIn } = await aWorldWithUser();
    const client = { network: '192.0.2.1', userAgent: 'curl/8' };
    const tokens = tokensOf(await valueOf(signIn(aLogin(), client)));
    const [session] = [...everythingIn(world).sessions.values()];
    expect(session).to.deep.equal({
      id: session?.id,
      userId: id,
      methods: ['pwd'],
      provider: undefined,
      userAgent: 'curl/8',
      createdAt: world.clock.now(),
      confirmedAt: world.clock.now(),
      lastUsedAt: world.clock.now(),
      expiresAt: new Date(world.clock.now().getTime() + days(90) * 1000),
      ended: false,
    });
    expect(Object.fromEntries(everythingIn(world).refreshTokens)).to.deep.equal({
      [tokens.refreshToken]: {
        sessionId: session?.id,
        expiresAt: new Date(world.clock.now().getTime() + days(30) * 1000),
        usedBy: undefined,
      },
    });
  });

  it('accepts the address in any case', async () => {
    const { signIn } = await aWorldWithUser();
    expect((await signIn(aLogin({ email: 'ADA@Example.org' }), noClient)).isOk()).to.equal(true);
  });

  it('responds alike to an unknown address and a wrong password, and opens nothing', async () => {
    const { world, signIn } = await aWorldWithUser();
    expect(await signIn(aLogin({ email: 'eve@example.org' }), noClient)).to.deep.equal(err(invalidCredentials()));
    expect(await signIn(aLogin({ password: 'Correct-2' }), noClient)).to.deep.equal(err(invalidCredentials()));
    expect(everythingIn(world).sessions.size).to.equal(0);
  });

  it('verifies a password even for an unknown address, so that both take the same time', async () => {
    const world = aWorld();
    const passwords = watched(world.passwords);
    await logIn({ ...world, passwords })(aLogin(), noClient);
    expect(passwords.asked).to.deep.equal(['verify nothing']);
  });

  it('refuses every password for an account without one', async () => {
    const { world, id, signIn } = await aWorldWithUser();
    changeUser(world, id, { passwordHash: undefined });
    expect(await signIn(aLogin(), noClient)).to.deep.equal(err(invalidCredentials()));
    expect(await signIn(aLogin({ password: 'undefined' }), noClient)).to.deep.equal(err(invalidCredentials()));
  });

  const inactive: readonly (readonly [string, (world: World, id: UserId) => void])[] = [
    ['is not verified', (world, id) => changeUser(world, id, { emailVerified: false })],
    ['is switched off', (world, id) => changeUser(world, id, { active: false })],
    ['is neither', (world, id) => changeUser(world, id, { active: false, emailVerified: false })],
  ];
  for (const [what, arrange] of inactive) {
    it(`reveals only with the right password that the account ${what}`, async () => {
      const { world, id, signIn } = await aWorldWithUser();
      arrange(world, id);
      expect(await signIn(aLogin({ password: 'Correct-2' }), noClient)).to.deep.equal(err(invalidCredentials()));
      expect(await signIn(aLogin(), noClient)).to.deep.equal(err(accountInactive()));
      expect(everythingIn(world).sessions.size).to.equal(0);
    });
  }

  it('reports that hashing is busy', async () => {
    const { world } = await aWorldWithUser();
    const passwords: PasswordHashes = { ...world.passwords, verify: () => errAsync(hashingBusy(1)) };
    expect(await logIn({ ...world, passwords })(aLogin(), noClient)).to.deep.equal(err(hashingBusy(1)));
  });

  describe('if something changes between the password check and the session', () => {
    const meanwhile = ({ passwords }: World, change: () => void): PasswordHashes => ({
      ...passwords,
      verify: (hash, attempt) => {
        change();
        return passwords.verify(hash, attempt);
      },
    });

    it('refuses a password that has changed', async () => {
      const { world, id } = await aWorldWithUser();
      const changed = { passwordHash: 'plain:Changed-1' as PasswordHash, credentialsVersion: 2 };
      const passwords = meanwhile(world, () => changeUser(world, id, changed));
      expect(await logIn({ ...world, passwords })(aLogin(), noClient)).to.deep.equal(err(invalidCredentials()));
      const { sessions, refreshTokens } = everythingIn(world);
      expect([sessions.size, refreshTokens.size]).to.deep.equal([0, 0]);
    });

    it('reports that the account was blocked, and opens no session', async () => {
      const { world, id } = await aWorldWithUser();
      const passwords = meanwhile(world, () => changeUser(world, id, { active: false }));
      expect(await logIn({ ...world, passwords })(aLogin(), noClient)).to.deep.equal(err(accountInactive()));
      expect(everythingIn(world).sessions.size).to.equal(0);
    });

    it('verifies the password once if only two-factor authentication was enabled, and issues a challenge', async () => {
      const { world, id } = await aWorldWithUser();
      const passwords = watched(
        meanwhile(world, () => {
          inTables(world, ({ twoFactors }) => {
            const secret = 'SECRET' as TotpSecret;
            const createdAt = new Date(0);
            twoFactors.set(id, {
              secret,
              pendingUntil: undefined,
              lastStep: undefined,
              createdAt,
              enrolledByConfirmed: true,
            });
          });
          changeUser(world, id, { credentialsVersion: 2 });
        }),
      );
      expect(await logIn({ ...world, passwords })(aLogin(), noClient).map(({ outcome }) => outcome)).to.deep.equal(
        ok('challenge'),
      );
      expect(passwords.asked).to.deep.equal(['verify plain:Correct-1']);
    });

    it('gives up if the credentials change repeatedly', async () => {
      const { world, id } = await aWorldWithUser();
      let credentialsVersion = 1;
      const passwords: PasswordHashes = {
        ...world.passwords,
        verify: () => {
          credentialsVersion += 1;
          changeUser(world, id, { credentialsVersion, passwordHash: `${credentialsVersion}` as PasswordHash });
          return okAsync(true);
        },
      };
      expect(await logIn({ ...world, passwords })(aLogin(), noClient)).to.deep.equal(err(invalidCredentials()));
      expect(everythingIn(world).sessions.size).to.equal(0);
    });
  });

  describe('with a hash of weaker parameters', () => {
    /** An old and a new scheme: `plain:` hashes are outdated, `strong:` ones are not. */
    const renewing: PasswordHashes = {
      hash: (plain) => okAsync(`strong:${plain}` as PasswordHash),
      verify: (hash, attempt) => okAsync(hash === `plain:${attempt}` || hash === `strong:${attempt}`),
      isOutdated: (hash) => hash.startsWith('plain:'),
    };

    it('replaces the hash, keeps the session and does not count it as a change of credentials', async () => {
      const { world } = await aWorldWithUser();
      const signIn = logIn({ ...world, passwords: renewing });
      expect((await signIn(aLogin(), noClient)).isOk()).to.equal(true);
      expect(storedUser(world, email)).to.include({ passwordHash: 'strong:Correct-1', credentialsVersion: 1 });
      expect((await signIn(aLogin(), noClient)).isOk()).to.equal(true);
    });

    it('keeps a hash that is up to date', async () => {
      const { world, id } = await aWorldWithUser();
      changeUser(world, id, { passwordHash: 'strong:Correct-1' as PasswordHash });
      const passwords = watched(renewing);
      await valueOf(logIn({ ...world, passwords })(aLogin(), noClient));
      expect(passwords.asked).to.deep.equal(['verify strong:Correct-1']);
    });

    it('replaces nothing for a wrong password or an inactive account', async () => {
      const { world, id } = await aWorldWithUser();
      const signIn = logIn({ ...world, passwords: renewing });
      await signIn(aLogin({ password: 'Correct-2' }), noClient);
      changeUser(world, id, { active: false });
      await signIn(aLogin(), noClient);
      expect(storedUser(world, email)?.passwordHash).to.equal('plain:Correct-1');
    });

    it('signs in even if hashing is busy', async () => {
      const { world } = await aWorldWithUser();
      const passwords: PasswordHashes = { ...renewing, hash: () => errAsync(hashingBusy(1)) };
      expect((await logIn({ ...world, passwords })(aLogin(), noClient)).isOk()).to.equal(true);
      expect(storedUser(world, email)?.passwordHash).to.equal('plain:Correct-1');
    });

    it('signs in even with a password that would not be accepted today', async () => {
      const { world, id } = await aWorldWithUser();
      changeUser(world, id, { passwordHash: 'plain:short' as PasswordHash });
      expect((await logIn({ ...world, passwords: renewing })(aLogin({ password: 'short' }), noClient)).isOk()).to.equal(
        true,
      );
      expect(storedUser(world, email)?.passwordHash).to.equal('plain:short');
    });
  });
});

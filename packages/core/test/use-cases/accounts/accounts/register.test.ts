import {
  type DomainStorage,
  emailTaken,
  hashingBusy,
  type Outbox,
  type PasswordHashes,
  passwordTooCommon,
  Registration,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok } from 'neverthrow';
import { register } from '../../../../src/accounts/registration/register.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRegistration, noClient, storedUser, watched } from '../../../support/people.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';

/** An outbox that fails when a mail is added. */
const full = (outbox: Outbox): Outbox => ({
  ...outbox,
  add: () => {
    throw new Error('full');
  },
});

describe('register', () => {
  it('stores an account that may not sign in yet, with only the hash of the password', async () => {
    const world = aWorld();
    const { id } = await valueOf(register(world)(aRegistration({ email: 'Ada@example.org' }), noClient));
    expect(storedUser(world, 'ada@example.org')).to.deep.equal({
      id,
      email: 'Ada@example.org',
      firstName: 'Ada',
      lastName: 'Lovelace',
      passwordHash: 'plain:Correct-1',
      limits: {},
      active: true,
      emailVerified: false,
      credentialsVersion: 1,
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
  });

  it('creates a personal organization owned by the user', async () => {
    const world = aWorld();
    const { id } = await valueOf(register(world)(aRegistration(), noClient));
    const { organizations } = everythingIn(world);
    expect([...organizations.values()]).to.deep.equal([
      {
        name: 'Ada Lovelace',
        enforceTwoFactor: false,
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
        revision: 1,
        retention: {},
        members: new Map([[id, { role: 'owner', joinedAt: world.clock.now() }]]),
      },
    ]);
  });

  it('creates it even with the longest names', async () => {
    const world = aWorld();
    const long = 'é'.repeat(100);
    await valueOf(register(world)(aRegistration({ firstName: long, lastName: long }), noClient));
    expect([...everythingIn(world).organizations.values()].map(({ name }) => name)).to.deep.equal([`${long} ${long}`]);
  });

  it('queues one mail, to the stored address, with a token valid for 24 hours', async () => {
    const world = aWorld();
    const { id } = await valueOf(register(world)(aRegistration({ email: 'Ada@Example.org' }), noClient));
    const { outbox, mailedTokens } = everythingIn(world);
    const [token] = [...mailedTokens.keys()];
    expect([...outbox.values()].map(({ mail }) => mail)).to.deep.equal([
      { kind: 'verify-email', to: 'Ada@Example.org', token },
    ]);
    expect([...mailedTokens.values()]).to.deep.equal([
      {
        userId: id,
        purpose: 'verify-email',
        email: 'ada@example.org',
        credentialsVersion: 1,
        createdAt: new Date('2026-03-01T12:00:00Z'),
        expiresAt: new Date('2026-03-02T12:00:00Z'),
        used: false,
      },
    ]);
  });

  it('refuses an address that differs from a taken one in case only, and stores nothing', async () => {
    const world = aWorld();
    await valueOf(register(world)(aRegistration(), noClient));
    const before = everythingIn(world);
    const outcome = await register(world)(aRegistration({ email: 'ADA@example.ORG', firstName: 'Eve' }), noClient);
    expect(outcome).to.deep.equal(err(emailTaken()));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('hashes the password even for a taken address, so that both take the same time', async () => {
    const world = aWorld();
    await valueOf(register(world)(aRegistration(), noClient));
    const passwords = watched(world.passwords);
    await register({ ...world, passwords })(aRegistration({ password: 'Another-1' }), noClient);
    expect(passwords.asked).to.deep.equal(['hash Another-1']);
  });

  it('stores nothing if the mail cannot be queued', async () => {
    const world = aWorld();
    const before = everythingIn(world);
    const unitOfWork: DomainStorage = {
      view: (read) => world.unitOfWork.view(read),
      single: (work) => world.unitOfWork.single(work),
      session: (credential) => world.unitOfWork.session(credential),
      run: (work) =>
        world.unitOfWork.run((repositories) => work({ ...repositories, outbox: full(repositories.outbox) })),
    };
    const rejection = await register({ ...world, unitOfWork })(aRegistration(), noClient).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(rejection).to.be.an('error').with.property('message', 'full');
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('reports that hashing is busy, and stores nothing', async () => {
    const world = aWorld();
    const passwords: PasswordHashes = { ...world.passwords, hash: () => errAsync(hashingBusy(2)) };
    expect(await register({ ...world, passwords })(aRegistration(), noClient)).to.deep.equal(err(hashingBusy(2)));
    expect(everythingIn(world).users.size).to.equal(0);
  });

  it('refuses a listed password and the address as the password, before any hashing', async () => {
    const world = aWorld();
    const passwords = watched(world.passwords);
    const enrol = register({ ...world, passwords, blocklist: { entries: new Set(['password1']) } });
    const before = everythingIn(world);
    const address = 'Ada.1@example.org';
    const refused = [aRegistration({ password: 'Password1' }), aRegistration({ email: address, password: address })];
    for (const registration of refused) {
      expect(await enrol(registration, noClient)).to.deep.equal(err(passwordTooCommon('password')));
    }
    expect(passwords.asked).to.deep.equal([]);
    expect(everythingIn(world)).to.deep.equal(before);
    expect((await enrol(aRegistration(), noClient)).isOk()).to.equal(true);
  });

  it('drops unknown members, such as a role or a verified address', async () => {
    const world = aWorld();
    const registration = Registration.parse({ ...aRegistration(), emailVerified: true, role: 'owner', active: false });
    expect(registration).to.deep.equal(aRegistration());
    const { id } = await valueOf(register(world)(registration, noClient));
    expect(
      await world.unitOfWork.view(({ accounts }) => accounts.profile(id).map((each) => each.emailVerified)),
    ).to.deep.equal(ok(false));
  });
});

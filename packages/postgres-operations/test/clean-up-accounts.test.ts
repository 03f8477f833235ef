import {
  type DomainStorage,
  Email,
  emailKey,
  MailedToken,
  type PasswordHash,
  type PasswordHashes,
  Registration,
  unverifiedAccountLifetimeSeconds,
  useCases,
} from '@zonewright/core';
import { nodeRandomness, sha256TokenHashes } from '@zonewright/crypto';
import { type Database, openDatabase, PostgresUnitOfWork, statement } from '@zonewright/postgres';
import { expect } from 'chai';
import { err, okAsync, type Result, ResultAsync } from 'neverthrow';
import { testBoxes } from '../../postgres/test/support/postgres-storage.ts';
import { sqlFile } from '../src/sql-file.ts';
import { adapterSql } from './support/adapter-sql.ts';
import { cleanUp } from './support/clean-up.ts';
import { migratedDatabase } from './support/database.ts';

const client = { network: undefined, userAgent: undefined };
const tokenHashes = sha256TokenHashes();
const randomness = nodeRandomness();
const passwords: PasswordHashes = {
  hash: () => okAsync('hash' as PasswordHash),
  verify: () => okAsync(true),
  isOutdated: () => false,
};

async function valueOf<T, E>(pending: PromiseLike<Result<T, E>>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`A call was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

describe('cleanUp of unverified accounts', () => {
  let database: Database;
  let other: Database;
  let unitOfWork: DomainStorage;

  before(async function () {
    this.timeout(60_000);
    const url = await migratedDatabase();
    [database, other] = [openDatabase({ url }), openDatabase({ url })];
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
  });
  beforeEach(() =>
    database.none(
      'DELETE FROM zones; DELETE FROM zone_identities; DELETE FROM organizations; DELETE FROM users; DELETE FROM outbox_mails',
    ),
  );
  after(() => Promise.all([database?.$pool.end(), other?.$pool.end()]));

  let count = 0;
  const signUp = (email: string, token = randomness.token()) => {
    const dependencies = { unitOfWork, passwords, blocklist: { entries: undefined }, tokenHashes };
    const registration = { email, password: 'Right-Horse-1', firstName: 'Ada', lastName: 'Lovelace' };
    return useCases({ ...dependencies, randomness: { ...randomness, token: () => token } }).register(
      Registration.parse(registration),
      client,
    );
  };
  /** Registers a user in the past; returns the token of the verification mail. */
  async function registered(age: string) {
    count += 1;
    const email = Email.parse(`person${count}@example.org`);
    const token = MailedToken.parse(randomness.token());
    const { id } = await valueOf(signUp(email, token));
    await database.none('UPDATE users SET created_at = now() - $2::interval WHERE id = $1', [id, age]);
    const { organization } = await database.one<{ organization: number }>(
      'SELECT organization_id AS organization FROM memberships WHERE user_id = $1',
      [id],
    );
    return { id, email, token, organization };
  }
  type Registered = Awaited<ReturnType<typeof registered>>;
  const verify = ({ token }: Registered) => useCases({ unitOfWork, tokenHashes }).verifyEmail(token, client);
  const rows = async (table: string) =>
    (await database.one<{ count: number }>(`SELECT count(*)::int FROM ${table}`)).count;
  const isThere = async ({ id, organization }: Registered) =>
    database.one<{ account: boolean; organization: boolean }>(
      `SELECT EXISTS (SELECT FROM users WHERE id = $1) AS account,
         EXISTS (SELECT FROM organizations WHERE id = $2) AS organization`,
      [id, organization],
    );
  const whole = { account: true, organization: true };
  const gone = { account: false, organization: false };

  it('deletes the account, its organization and its tokens after seven days; the audit log stays', async () => {
    const old = await registered('7 days 1 minute');
    const young = await registered('7 days -1 minute');
    const entries = await rows('audit_log');
    expect(await cleanUp(database)).to.equal(1);
    expect([await isThere(old), await isThere(young)]).to.deep.equal([gone, whole]);
    expect([await rows('memberships'), await rows('mailed_tokens')]).to.deep.equal([1, 1]);
    expect(await rows('audit_log')).to.equal(entries);
  });

  it('releases the address', async () => {
    const { email } = await registered('8 days');
    expect((await signUp(email)).isErr()).to.equal(true);
    await cleanUp(database);
    await valueOf(signUp(email));
  });

  it('keeps verified accounts, however old, and those that ever signed in or own zones', async () => {
    const kept = [];
    for (let index = 0; index < 4; index += 1) kept.push(await registered('1 year'));
    const [verified, signedIn, active, owner] = kept as [Registered, Registered, Registered, Registered];
    await verify(verified);
    await database.none("INSERT INTO sign_in_networks (user_id, network) VALUES ($1, '192.0.2.1')", [signedIn.id]);
    await database.none(
      `INSERT INTO sessions (id, user_id, methods, expires_at) VALUES (gen_random_uuid(), $1, '{pwd}', now())`,
      [active.id],
    );
    await database.none(
      `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash)
       VALUES (gen_random_uuid(), $1, 'zone', 'zone', 'prod', 'ban_x')`,
      [owner.organization],
    );
    expect(await cleanUp(database)).to.equal(0);
    for (const account of kept) expect(await isThere(account)).to.deep.equal(whole);
  });

  it('keeps an organization that has another member', async () => {
    const [old, young] = [await registered('8 days'), await registered('1 day')];
    await database.none("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
      old.organization,
      young.id,
    ]);
    expect(await cleanUp(database)).to.equal(1);
    expect(await isThere(old)).to.deep.equal({ account: false, organization: true });
  });

  it('deletes a hundred at a time, oldest first', async () => {
    await database.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name, created_at)
       SELECT gen_random_uuid(), n || '@example.org', n || '@example.org', 'A', 'B', now() - interval '30 days' + n * interval '1 hour'
       FROM generate_series(1, 130) AS n`,
    );
    expect(await cleanUp(database)).to.equal(100);
    const { left } = await database.one<{ left: string }>(
      'SELECT min(split_part(email, $1, 1)::int)::text AS left FROM users',
      ['@'],
    );
    expect(left).to.equal('101');
    expect(await cleanUp(database)).to.equal(30);
  });

  it('skips an account whose verification is in progress and succeeds', async () => {
    const account = await registered('8 days');
    const instance = new PostgresUnitOfWork(other, testBoxes());
    await valueOf(
      instance.run(({ mailedTokens, accounts }) =>
        mailedTokens
          .redeem(tokenHashes.of(account.token), 'verify-email')
          .andThen(() => ResultAsync.fromSafePromise(cleanUp(database)))
          .andThen((deleted) => {
            expect(deleted).to.equal(0);
            return accounts.markEmailVerified(account.id, emailKey(account.email));
          }),
      ),
    );
    expect(await cleanUp(database)).to.equal(0);
    expect(await isThere(account)).to.deep.equal(whole);
  });

  it('blocks a concurrent verification, which then rejects the token', async () => {
    const account = await registered('8 days');
    const deletion = statement('test deletion', sqlFile('clean-up/unverified-accounts.sql'));
    const { verifying } = await other.tx(async (transaction) => {
      expect(
        await transaction.any(deletion.prepared({ lifetimeSeconds: unverifiedAccountLifetimeSeconds, batch: 1 })),
      ).to.have.length(1);
      const attempt = verify(account);
      const waiting = `SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      let { count: waits } = { count: 0 };
      while (waits === 0) ({ count: waits } = await transaction.one<{ count: number }>(waiting));
      return { verifying: attempt };
    });
    expect(await verifying).to.deep.equal(err({ type: 'MailedTokenInvalid' }));
    expect(await isThere(account)).to.deep.equal(gone);
  });

  it('finds the accounts and the next mail by an index, however many there are', async () => {
    await database.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name, created_at, email_verified_at)
       SELECT gen_random_uuid(), n || '@example.org', n || '@example.org', 'A', 'B', now() - interval '1 year', now()
       FROM generate_series(1, 5000) AS n;
       INSERT INTO outbox_mails (payload, priority) SELECT 'sealed', 2 FROM generate_series(1, 5000);
       ANALYZE users, outbox_mails`,
    );
    const planOf = async (text: string) =>
      JSON.stringify(await database.any(`EXPLAIN (FORMAT JSON) ${text.replaceAll(/\$\{\w+\}/g, '60')}`));
    expect(await planOf(sqlFile('clean-up/unverified-accounts.sql'))).to.contain('users_unverified');
    const claim = await planOf(adapterSql('kernel/outbox/claim.sql'));
    expect(claim).to.contain('outbox_mails_next').and.not.to.contain('"Sort"');
  });
});

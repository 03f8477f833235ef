import {
  idempotencyContract,
  rateLimiterContract,
  sessionSequencesContract,
  storageContract,
} from '@zonewright/contract-tests';
import { Email, type Mail, MailedToken } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { type Database, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { type StorageServer, storageIn, testBoxes } from './support/postgres-storage.ts';

describe('PostgreSQL', () => {
  let server: StorageServer | undefined;

  before(async function () {
    this.timeout(60_000);
    server = storageIn(await migratedDatabase());
  });
  after(() => server?.close());

  const open = async () => {
    if (server === undefined) throw new Error('The database is not open.');
    return server.open();
  };
  storageContract('postgres', open);
  sessionSequencesContract('postgres', open, { runs: 15 });
  idempotencyContract('postgres', open);
  rateLimiterContract('postgres', async () => {
    if (server === undefined) throw new Error('The database is not open.');
    return server.openLimiter();
  });
});

describe('The outbox of PostgreSQL', () => {
  const mail: Mail = {
    kind: 'reset-password',
    to: Email.parse('ada@example.org'),
    token: MailedToken.parse('a-token-that-nobody-else-may-read'),
  };
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;

  before(async function () {
    this.timeout(60_000);
    database = openDatabase({ url: await migratedDatabase() });
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
  });
  beforeEach(async () => {
    await database.none('DELETE FROM outbox_mails');
    await unitOfWork.run(({ outbox }) => outbox.add(mail));
  });
  after(() => database?.$pool.end());

  it('shows neither address nor token in the table', async () => {
    const rows = await database.any('SELECT outbox_mails::text AS row FROM outbox_mails');
    expect(rows).to.have.lengthOf(1);
    expect(JSON.stringify(rows)).to.not.include(mail.to).and.to.not.include(mail.token);
  });

  it('rejects contents moved from another mail', async () => {
    await database.none('UPDATE outbox_mails SET id = gen_random_uuid()');
    const claimed = await unitOfWork.run(({ outbox }) => outbox.claim(60));
    expect(claimed.map((queued) => queued?.mail)).to.deep.equal(ok({ kind: 'unreadable' }));
  });
});

describe('The PostgreSQL tables', () => {
  let database: Database;

  before(async function () {
    this.timeout(60_000);
    database = openDatabase({ url: await migratedDatabase() });
  });
  after(() => database?.$pool.end());

  it('hold at most one redeemable token per purpose and account', async () => {
    const { id } = await database.one<{ id: string }>(
      `INSERT INTO users (id, email, email_key, first_name, last_name)
       VALUES (gen_random_uuid(), 'ada@example.org', 'ada@example.org', 'Ada', 'Lovelace') RETURNING id`,
    );
    const add = (hash: string) =>
      database.none(
        `INSERT INTO mailed_tokens (hash, user_id, purpose, email_key, credentials_version, expires_at)
         VALUES ($1, $2, 'verify-email', 'ada@example.org', 1, now() + interval '1 hour')`,
        [hash, id],
      );
    await add('first');
    const refused = await add('second').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.include({ code: '23505', constraint: 'mailed_tokens_one_live' });
  });
});

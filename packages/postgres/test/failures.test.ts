import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Email, emailKey, type MailRequest, type Repositories, StorageUnavailable, UserId } from '@zonewright/core';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@zonewright/dev-postgres';
import { expect } from 'chai';
import { okAsync, ResultAsync } from 'neverthrow';
import { storageFailure } from '../src/connection/failures.ts';
import { type Database, type DatabaseOptions, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { migrate } from '../src/migrate.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';
import { openRelay, type Relay } from './support/relay.ts';

const pools: Database[] = [];

/** Opens the database; query parameters of the URL override the adapter's timeouts. */
function openUnits(
  url: string,
  limits: Readonly<Record<string, string>> = {},
  options: Omit<DatabaseOptions, 'url'> = {},
) {
  const limited = new URL(url);
  for (const [name, value] of Object.entries(limits)) limited.searchParams.set(name, value);
  const database = openDatabase({ url: limited.href, ...options });
  pools.push(database);
  return { database, unitOfWork: new PostgresUnitOfWork(database, testBoxes()) };
}

const nobody = UserId.parse('01900000-0000-7000-8000-000000000000');
/** An arbitrary write. */
const mail: MailRequest = {
  kind: 'request',
  purpose: 'verify-email',
  email: emailKey(Email.parse('ada@example.com')),
};

/** An arbitrary read. */
const read = ({ accounts }: Repositories) => accounts.factsByEmail('nobody@example.org' as never);

async function rejectionOf(unit: PromiseLike<unknown> | ResultAsync<unknown, unknown>): Promise<unknown> {
  try {
    await unit;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a rejection.');
}

const isUnavailable = async (unit: ResultAsync<unknown, unknown>) => {
  expect(await rejectionOf(unit)).to.be.an.instanceOf(StorageUnavailable);
};

async function works(unitOfWork: PostgresUnitOfWork): Promise<void> {
  expect((await unitOfWork.run(read)).isOk()).to.equal(true);
  expect((await unitOfWork.view(read)).isOk()).to.equal(true);
}

/** A promise with its resolver. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

const awaiting = (promise: Promise<unknown>): ResultAsync<unknown, never> => ResultAsync.fromSafePromise(promise);

afterEach(async () => {
  await Promise.all(pools.splice(0).map((database) => database.$pool.end()));
});

describe('storageFailure', () => {
  const failure = (code: string | undefined, message = 'failed') =>
    Object.assign(new Error(message), code === undefined ? {} : { code });

  const sqlStates = ['08006', '25006', '53300', '57P01', '57P02', '57P03', '55P03', '57014', '40001', '40P01'];
  const systemCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];
  for (const code of [...sqlStates, ...systemCodes]) {
    it(`maps ${code} to a StorageUnavailable with its cause`, () => {
      const error = failure(code);
      expect(storageFailure(error)).to.be.an.instanceOf(StorageUnavailable).and.to.have.property('cause', error);
    });
  }

  for (const message of [
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Query read timeout',
  ]) {
    it(`maps the client’s "${message}" to a StorageUnavailable`, () => {
      expect(storageFailure(failure(undefined, message))).to.be.an.instanceOf(StorageUnavailable);
    });
  }

  for (const code of ['23505', '23514', '42601', '42P01', '22P02', '3D000', '28P01']) {
    it(`leaves ${code} unchanged`, () => {
      const error = failure(code, 'Connection timeout');
      expect(storageFailure(error)).to.equal(error);
    });
  }

  it('leaves other errors unchanged', () => {
    const defect = new TypeError('x is not a function');
    expect(storageFailure(defect)).to.equal(defect);
    expect(storageFailure('a text')).to.equal('a text');
  });
});

describe('PostgresUnitOfWork', function () {
  this.timeout(30_000);
  let url: string;

  before(async () => {
    url = await migratedDatabase();
  });
  beforeEach(() => openUnits(url).database.none('DELETE FROM outbox_mails; DELETE FROM users'));

  /** Starts a unit that locks the account until released. */
  async function lockAccount() {
    const { database, unitOfWork } = openUnits(url);
    await database.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name) VALUES ($1, $2, $2, 'A', 'B')`,
      [nobody, 'nobody@example.org'],
    );
    const [locked, release] = [signal(), signal()];
    const unit = unitOfWork.run((repositories) =>
      lockIt(repositories).andThen(() => {
        locked.give();
        return awaiting(release.given);
      }),
    );
    await Promise.race([locked.given, unit]);
    return {
      release: async () => {
        release.give();
        expect((await unit).isOk()).to.equal(true);
      },
    };
  }

  const lockIt = ({ accounts }: Repositories) => accounts.markEmailVerified(nobody, 'nobody@example.org' as never);

  const limits = [
    { title: 'waits too long for a lock', limit: { lock_timeout: '200' } },
    { title: 'has a statement that takes too long', limit: { statement_timeout: '200' } },
  ];
  for (const { title, limit } of limits) {
    it(`rejects with StorageUnavailable when a unit ${title}, and works afterwards`, async () => {
      const { unitOfWork } = openUnits(url, limit, { connections: 1 });
      const held = await lockAccount();
      await isUnavailable(unitOfWork.run(lockIt));
      await works(unitOfWork);
      await held.release();
      expect((await unitOfWork.run(lockIt)).isOk()).to.equal(true);
    });
  }

  it('rejects with StorageUnavailable when a unit stays idle for too long, and works afterwards', async () => {
    const { unitOfWork } = openUnits(url, { idle_in_transaction_session_timeout: '250' }, { connections: 1 });
    const { database: other } = openUnits(url);
    const gone = async () => {
      const open = () =>
        other.one<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
        );
      while ((await open()).count > 0);
    };
    const unit = unitOfWork.run((repositories) =>
      read(repositories)
        .andThen(() => awaiting(gone()))
        .andThen(() => read(repositories)),
    );
    await isUnavailable(unit);
    await works(unitOfWork);
  });

  it('rejects with StorageUnavailable when the address is not listening', async () => {
    const relay = await openRelay(url);
    await relay.close();
    const { unitOfWork } = openUnits(relay.url);
    await isUnavailable(unitOfWork.run(read));
    await isUnavailable(unitOfWork.view(read));
  });

  it('completes two deadlocked units by repeating one', async () => {
    const { unitOfWork } = openUnits(url, { options: '-c deadlock_timeout=10' });
    await unitOfWork.run(({ outbox }) => ResultAsync.combine([1, 2].map(() => outbox.add(mail))));
    const ids = await mailIds();
    const arrived = [signal(), signal()];
    let tries = 0;
    const unit = (own: number) =>
      unitOfWork.run(({ outbox }) => {
        tries += 1;
        return outbox
          .retryLater(ids[own]!, 1)
          .andThen(() => {
            arrived[own]?.give();
            return awaiting(Promise.all(arrived.map(({ given }) => given)));
          })
          .andThen(() => outbox.retryLater(ids[1 - own]!, 1));
      });
    const results = await Promise.all([unit(0), unit(1)]);
    expect(results.every((result) => result.isOk())).to.equal(true);
    expect(tries).to.equal(3);
  });

  const mailIds = async (): Promise<string[]> => {
    const rows = await openUnits(url).database.any<{ id: string }>('SELECT id FROM outbox_mails');
    return rows.map(({ id }) => id);
  };

  for (const code of ['40001', '40P01']) {
    const conflict = () => Promise.reject(Object.assign(new Error('a conflict'), { code }));

    it(`repeats a unit after conflict ${code}, rolling back its writes`, async () => {
      const { unitOfWork } = openUnits(url);
      let tries = 0;
      const result = await unitOfWork.run(({ outbox }) => {
        tries += 1;
        return outbox.add(mail).andThen(() => (tries === 1 ? awaiting(conflict()) : okAsync('done')));
      });
      expect(result.unwrapOr('not done')).to.equal('done');
      expect(tries).to.equal(2);
      expect(await mailIds()).to.have.lengthOf(1);
    });

    it(`gives up with StorageUnavailable after four conflicts ${code}`, async () => {
      const { unitOfWork } = openUnits(url);
      let tries = 0;
      const unit = unitOfWork.run(() => {
        tries += 1;
        return awaiting(conflict());
      });
      await isUnavailable(unit);
      expect(tries).to.equal(4);
    });
  }

  it('does not repeat a unit after any other failure', async () => {
    const { unitOfWork } = openUnits(url);
    let tries = 0;
    const unit = unitOfWork.run(() => {
      tries += 1;
      return awaiting(Promise.reject(new TypeError('a defect')));
    });
    expect(await rejectionOf(unit)).to.be.an.instanceOf(TypeError);
    expect(tries).to.equal(1);
  });

  it('survives a broken idle connection, reports it, and works afterwards', async () => {
    const lost = signal();
    const { unitOfWork, database } = openUnits(url, {}, { connections: 1, onLostConnection: () => lost.give() });
    const { pid } = await database.one<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await openUnits(url).database.one('SELECT pg_terminate_backend($1)', pid);
    await lost.given;
    await works(unitOfWork);
  });

  it('rejects with StorageUnavailable when the connection breaks in a unit, and works afterwards', async () => {
    const { unitOfWork } = openUnits(url, {}, { connections: 1 });
    const { database: other } = openUnits(url);
    const kill = () =>
      other.many(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
    const unit = unitOfWork.run((repositories) =>
      read(repositories)
        .andThen(() => awaiting(kill()))
        .andThen(() => read(repositories)),
    );
    await isUnavailable(unit);
    await works(unitOfWork);
  });

  for (const way of ['run', 'view'] as const) {
    it(`rejects with StorageUnavailable when the server becomes read-only in a ${way}, and never reuses that connection`, async () => {
      const { database: other } = openUnits(url);
      const readOnly = (isOn: boolean) =>
        other.none('ALTER DATABASE $1:name SET default_transaction_read_only = $2:raw', [
          new URL(url).pathname.slice(1),
          isOn ? 'on' : 'off',
        ]);
      await readOnly(true);
      const { unitOfWork } = openUnits(url, {}, { connections: 1 });
      try {
        await isUnavailable(unitOfWork[way](({ outbox }) => outbox.add(mail)));
      } finally {
        await readOnly(false);
      }
      expect((await unitOfWork[way](({ outbox }) => outbox.add(mail))).isOk()).to.equal(true);
    });
  }

  it("never commits a unit's writes from before the server hung, even when it is back", async () => {
    const relay = await openRelay(url);
    try {
      const { unitOfWork } = openUnits(relay.url, { query_timeout: '400' }, { connections: 1 });
      const unit = unitOfWork.run((repositories) =>
        repositories.outbox.add(mail).andThen(() => {
          relay.hang();
          return read(repositories);
        }),
      );
      await isUnavailable(unit);
      relay.resume();
      await works(unitOfWork);
      expect(await mailIds()).to.deep.equal([]);
    } finally {
      await relay.close();
    }
  });

  for (const way of ['view', 'run'] as const) {
    it(`rejects with StorageUnavailable when the server hangs in a ${way}, and discards that connection`, async () => {
      const relay = await openRelay(url);
      try {
        const { unitOfWork } = openUnits(relay.url, { query_timeout: '400' }, { connections: 1 });
        await works(unitOfWork);
        relay.strand();
        await isUnavailable(unitOfWork[way](read));
        await works(unitOfWork);
      } finally {
        await relay.close();
      }
    });
  }
});

describe('PostgresUnitOfWork and a server that stops', function () {
  this.timeout(60_000);
  let dataDir: string;
  let server: EmbeddedPostgres;
  let relay: Relay;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zonewright-test-'));
    server = await startEmbeddedPostgres({ dataDir });
    await migrate(server.url);
    relay = await openRelay(server.url);
  });
  after(async () => {
    await relay?.close();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('rejects with StorageUnavailable while it is down, and recovers once it is back', async () => {
    const { unitOfWork } = openUnits(relay.url);
    await works(unitOfWork);
    const [begun, stopped] = [signal(), signal()];
    const interrupted = unitOfWork.run((repositories) =>
      read(repositories)
        .andThen(() => {
          begun.give();
          return awaiting(stopped.given);
        })
        .andThen(() => read(repositories)),
    );
    await begun.given;
    await server.stop();
    stopped.give();
    await isUnavailable(interrupted);
    await isUnavailable(unitOfWork.run(read));
    await isUnavailable(unitOfWork.view(read));
    server = await startEmbeddedPostgres({ dataDir });
    relay.leadTo(server.url);
    await works(unitOfWork);
  });
});

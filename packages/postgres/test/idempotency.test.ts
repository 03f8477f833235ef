import {
  Email,
  type IdempotencyKeys,
  type Mail,
  MailedToken,
  type Repositories,
  StorageUnavailable,
  UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync, type Result, ResultAsync } from 'neverthrow';
import { type Database, openDatabase, PostgresUnitOfWork, postgresIdempotencyKeys } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const request = { scope: 'a session', key: 'a key', fingerprint: 'a digest' };
const mail: Mail = { kind: 'reset-password', to: Email.parse('a@example.org'), token: MailedToken.parse('a-token') };
const ada = UserId.parse('01900000-0000-7000-8000-000000000000');

const write = ({ outbox }: Repositories) => outbox.add(mail);
const awaiting = <T>(promise: Promise<T>): ResultAsync<T, never> => ResultAsync.fromSafePromise(promise);

async function valueOf<T, E>(pending: PromiseLike<Result<T, E>>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`A call was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

async function rejectionOf(pending: PromiseLike<unknown> | ResultAsync<unknown, unknown>): Promise<unknown> {
  try {
    await pending;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a rejection.');
}

/** A promise with its resolver. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describe('postgresIdempotencyKeys', function () {
  this.timeout(30_000);
  let url: string;
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;
  let keys: IdempotencyKeys;

  before(async () => {
    url = await migratedDatabase();
    database = openDatabase({ url });
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
    keys = postgresIdempotencyKeys(database, testBoxes().outbox);
    await database.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name) VALUES ($1, 'a@b.c', 'a@b.c', 'A', 'B')`,
      [ada],
    );
  });
  beforeEach(() => database.none('DELETE FROM outbox_mails; DELETE FROM idempotency_keys'));
  after(() => database?.$pool.end());

  const count = async (table: string): Promise<number> =>
    (await database.one<{ count: number }>(`SELECT count(*)::int FROM ${table}`)).count;
  const stored = async () => ({ mails: await count('outbox_mails'), keys: await count('idempotency_keys') });
  const writing = (answer: string) => unitOfWork.run(write).map(() => answer);

  describe('once', () => {
    it('rejects with StorageUnavailable when the first request takes too long, without disturbing it', async () => {
      const impatient = new URL(url);
      impatient.searchParams.set('lock_timeout', '100');
      const other = openDatabase({ url: impatient.href, connections: 1 });
      const [begun, goOn] = [signal(), signal()];
      const first = keys.once(request, () => {
        begun.give();
        return awaiting(goOn.given).andThen(() => writing('the first'));
      });
      await begun.given;
      const second = postgresIdempotencyKeys(other, testBoxes().outbox).once(request, () => okAsync('the second'));
      expect(await rejectionOf(second)).to.be.an.instanceOf(StorageUnavailable);
      goOn.give();
      expect((await valueOf(first)).answer).to.equal('the first');
      await other.$pool.end();
    });

    const age = (interval: string) =>
      database.none('UPDATE idempotency_keys SET created_at = now() - $1::interval', [interval]);

    it('keeps an old key when the work fails', async () => {
      await keys.once(request, () => writing('one'));
      await age('25 hours');
      await keys.once(request, () => errAsync('refused'));
      expect(await count('idempotency_keys WHERE answer IS NOT NULL')).to.equal(1);
    });

    it('encrypts the response and the digest of the request, bound to their row', async () => {
      await keys.once({ ...request, fingerprint: 'telling digest' }, () => okAsync({ plainToken: 'telling token' }));
      const { row } = await database.one<{ row: string }>('SELECT idempotency_keys::text AS row FROM idempotency_keys');
      expect(row).to.include('v1.test.').and.to.not.include('telling');
      await database.none("UPDATE idempotency_keys SET scope = 'someone else'");
      const moved = keys.once({ ...request, scope: 'someone else' }, () => okAsync('another'));
      expect(await rejectionOf(moved)).to.be.an.instanceOf(Error);
    });
  });

  describe('nested units of work', () => {
    const revision = ({ accounts }: Repositories) => accounts.profile(ada).map((profile) => profile.revision);

    for (const way of ['run', 'view'] as const) {
      it(`are all repeated when one of them (${way}) loses a conflict`, async () => {
        const conflict = () => Promise.reject(Object.assign(new Error('a conflict'), { code: '40P01' }));
        const tries = { work: 0, unit: 0 };
        const answered = keys.once(request, () => {
          tries.work += 1;
          return unitOfWork.run(write).andThen(() =>
            unitOfWork[way]((): ResultAsync<string, never> => {
              tries.unit += 1;
              return tries.unit === 1 ? awaiting(conflict()) : okAsync('done');
            }),
          );
        });
        expect((await valueOf(answered)).answer).to.equal('done');
        expect(tries).to.deep.equal({ work: 2, unit: 2 });
        expect(await stored()).to.deep.equal({ mails: 1, keys: 1 });
      });
    }

    it('reject with StorageUnavailable when conflicts persist', async () => {
      const conflict = Object.assign(new Error('a conflict'), { code: '40001' });
      let tries = 0;
      const work = () => {
        tries += 1;
        return unitOfWork.run(() => awaiting(Promise.reject(conflict)));
      };
      expect(await rejectionOf(keys.once(request, work))).to.be.an.instanceOf(StorageUnavailable);
      expect(tries).to.equal(4);
    });

    it('use only the connection of the transaction', async () => {
      const narrow = openDatabase({ url, connections: 1 });
      const units = new PostgresUnitOfWork(narrow, testBoxes());
      const answered = await postgresIdempotencyKeys(narrow, testBoxes().outbox).once(request, () =>
        units.run(write).andThen(() => units.view(revision)),
      );
      expect(answered.isOk()).to.equal(true);
      await narrow.$pool.end();
    });

    it('on another database, or concurrent but outside, have their own transactions', async () => {
      const other = openDatabase({ url, connections: 1 });
      const [begun, goOn] = [signal(), signal()];
      const refused = keys.once(request, () => {
        begun.give();
        return awaiting(goOn.given)
          .andThen(() => new PostgresUnitOfWork(other, testBoxes()).run(write))
          .andThen(() => errAsync('refused'));
      });
      await begun.given;
      expect((await unitOfWork.run(write)).isOk()).to.equal(true);
      goOn.give();
      expect((await refused).isErr()).to.equal(true);
      expect(await stored()).to.deep.equal({ mails: 2, keys: 0 });
      await other.$pool.end();
    });
  });
});

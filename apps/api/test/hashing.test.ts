import { randomUUID } from 'node:crypto';
import { type HashingGate, hashingGate } from '@zonewright/crypto';
import { expect } from 'chai';
import { ResultAsync } from 'neverthrow';
import { until } from './faults/support/until.ts';
import { aVerifiedUser, aZone, password, type User, type ZoneBody } from './support/arrange.ts';
import { clientOf, expectProblem, type Reply, statusCounts } from './support/client.ts';
import { openService, type TestService } from './support/service.ts';

/** A gate that counts entries and is closed until opened. */
function closedGate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const gate = {
    come: 0,
    open,
    run: (task) => ResultAsync.fromSafePromise(through(task)),
    stats: () => ({ running: 0, waiting: 0 }),
  } satisfies HashingGate & Record<string, unknown>;
  const through = async <T>(task: () => Promise<T>): Promise<T> => {
    gate.come += 1;
    await opened;
    return task();
  };
  return gate;
}

describe('Slow hashes', () => {
  let service: TestService;
  let ada: User;
  let zone: ZoneBody;
  let users: string;
  let gate: HashingGate;

  before(async () => {
    service = await openService(
      {},
      { hashing: { run: (task, lane) => gate.run(task, lane), stats: () => gate.stats() } },
    );
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    gate = hashingGate();
    zone = await aZone(ada);
    users = `/api/zones/${zone.id}/basic-auth-users`;
  });
  after(() => service.close());

  const add = (username: string, key?: string): Promise<Reply> =>
    ada.post(users, { username, password: 'Secret-1' }, key === undefined ? {} : { 'idempotency-key': key });

  const count = async (statement: string, ...values: readonly unknown[]): Promise<number> =>
    (await service.database.one<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`, values)).count;
  const idleInTransaction = () =>
    count("pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'");

  it('keep no transaction open, although several run under different keys', async () => {
    const held = closedGate();
    gate = held;
    const replies = Promise.all(Array.from({ length: 3 }, (_, index) => add(`user ${index}`, randomUUID())));
    await until(() => held.come === 3);
    // Transactions of background work end by themselves; those of requests would not.
    await until(async () => (await idleInTransaction()) === 0);
    expect((await ada.get('/api/zones')).status).to.equal(200);
    held.open();
    expect(statusCounts(await replies)).to.deep.equal({ 201: 3 });
  });

  it('create one user for simultaneous requests with the same key, and none for a replay', async () => {
    const held = closedGate();
    gate = held;
    const key = randomUUID();
    const simultaneous = Promise.all([add('ada', key), add('ada', key), add('ada', key)]);
    await until(() => held.come === 3);
    held.open();
    const replies = [...(await simultaneous), await add('ada', key)];
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(statusCounts(replies)).to.deep.equal({ 201: 4 });
    const replays = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect([replays.length, held.come]).to.deep.equal([3, 3]);
    expect(await count('basic_auth_users WHERE zone_id = $1', zone.id)).to.equal(1);
    expect(await count('idempotency_keys WHERE key = $1', key)).to.equal(1);
  });

  it('are not computed for requests that would be rejected', async () => {
    await service.database.none(
      `INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash)
       SELECT gen_random_uuid(), $1, 'user ' || n, 'user ' || n, '', $2 FROM generate_series(1, 49) AS n`,
      [zone.id, `$2y$10$${'a'.repeat(53)}`],
    );
    const last = (await add('ada')).json() as { readonly id: string };
    const held = closedGate();
    gate = held;
    expectProblem(await add('grace', randomUUID()), 422, 'validation-failed', [': zone.basicAuthUsers.limit']);
    const stale = await ada.patch(`${users}/${last.id}`, { password: 'Secret-2' }, { 'if-match': '"4711"' });
    expectProblem(stale, 412, 'precondition-failed');
    await ada.delete(`${users}/${last.id}`);
    expectProblem(await add('user 1'), 422, 'validation-failed', ['username: basicAuth.username.duplicate']);
    expect(held.come).to.equal(0);
  });

  it('cause 503 when too many are queued, whatever they are for', async () => {
    const { id } = (await add('ada')).json() as { readonly id: string };
    gate = hashingGate({ concurrency: 1, queueLimit: 0, waitSeconds: 7 });
    let end!: () => void;
    const running = gate.run(() => new Promise<void>((resolve) => (end = resolve)));
    for (const refused of [
      await clientOf(service.url).post('/api/auth/login', { email: ada.email, password }),
      await add('grace'),
      await add('grace', randomUUID()),
      await ada.patch(`${users}/${id}`, { password: 'Secret-2' }),
    ]) {
      expectProblem(refused, 503, 'service-unavailable');
      expect(refused.headers.get('retry-after')).to.equal('7');
    }
    end();
    await running;
    expect((await add('grace')).status).to.equal(201);
  });
});

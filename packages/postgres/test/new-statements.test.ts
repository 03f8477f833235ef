import {
  Email,
  type OrganizationId,
  OrganizationName,
  type PasswordHash,
  PersonName,
  type Repositories,
  type TotpSecret,
  UserId,
} from '@zonewright/core';
import { nodeRandomness } from '@zonewright/crypto';
import { expect } from 'chai';
import { type Result, ResultAsync } from 'neverthrow';
import { type Database, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const randomness = nodeRandomness();
const name = OrganizationName.parse('Team');
const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' as TotpSecret;

async function valueOf<T, E>(pending: PromiseLike<Result<T, E>>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`A call was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

describe('PostgreSQL statements', () => {
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;

  before(async function () {
    this.timeout(60_000);
    database = openDatabase({ url: await migratedDatabase() });
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
  });
  after(async () => {
    await database.$pool.end();
  });

  const run = <T>(work: (repositories: Repositories) => ResultAsync<T, unknown>): Promise<T> =>
    valueOf(unitOfWork.run(work));

  /** A user with a second factor, and an organization they own. */
  async function anOwner(): Promise<{ readonly user: UserId; readonly organization: OrganizationId }> {
    const user = UserId.parse(randomness.uuid());
    const account = {
      id: user,
      email: Email.parse(`${user}@example.org`),
      firstName: PersonName.parse('Ada'),
      lastName: PersonName.parse('Lovelace'),
      passwordHash: 'a hash' as PasswordHash,
    };
    const { id } = await run(({ accounts, organizations, twoFactors }) =>
      accounts
        .add(account)
        .andThen(() => twoFactors.begin({ user, secret, lifetimeSeconds: 60 }))
        .andThen(() => twoFactors.enable(user, { confirmed: true }))
        .andThen(() => organizations.create({ name, owner: user })),
    );
    return { user, organization: id };
  }

  const isWaiting = async (): Promise<boolean> =>
    (
      await database.one<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
         AS waiting`,
      )
    ).waiting;

  /** Starts `second` while a unit locks the organization; that unit runs `rest` once the other one waits. */
  async function whileLocked<T>(
    organization: OrganizationId,
    rest: (repositories: Repositories) => ResultAsync<unknown, unknown>,
    second: (repositories: Repositories) => ResultAsync<T, unknown>,
  ): Promise<{ readonly value: T; readonly tries: number }> {
    let tries = 0;
    let meanwhile: Promise<T> | undefined;
    const untilItWaits = async () => {
      meanwhile ??= run((repositories) => {
        tries += 1;
        return second(repositories);
      });
      while (!(await isWaiting()));
    };
    await run((repositories) => {
      tries += 1;
      return repositories.organizations
        .lock(organization)
        .andThen(() => ResultAsync.fromSafePromise(untilItWaits()))
        .andThen(() => rest(repositories));
    });
    if (meanwhile === undefined) throw new Error('The second unit was never started.');
    return { value: await meanwhile, tries };
  }

  it('lock a membership only after its organization, so that removing the member does not deadlock', async () => {
    const { user, organization } = await anOwner();
    const { value, tries } = await whileLocked(
      organization,
      ({ members }) => members.remove(organization, user),
      ({ memberships }) => memberships.lock(organization, user),
    );
    expect(value).to.equal(undefined);
    expect(tries, 'units that ran').to.equal(2);
  });

  it("read a member's second factor after locking the organization", async () => {
    const { user, organization } = await anOwner();
    const { value } = await whileLocked(
      organization,
      ({ organizations, twoFactors }) =>
        twoFactors.disable(user).andThen(() => organizations.save(organization, { name, enforceTwoFactor: true })),
      ({ memberships }) => memberships.lock(organization, user),
    );
    expect(value).to.deep.equal({ role: 'owner', needsTwoFactor: true });
  });

  it('notice an organization that started to enforce a second factor while they waited', async () => {
    const { user, organization } = await anOwner();
    const { value } = await whileLocked(
      organization,
      ({ organizations }) => organizations.save(organization, { name, enforceTwoFactor: true }),
      ({ memberships }) => memberships.lockEnforcing(user),
    );
    expect(value).to.deep.equal([organization]);
  });

  it('store two-factor secrets encrypted and bound to their user', async () => {
    const [ada, grace] = [await anOwner(), await anOwner()];
    const stored = await database.many<{ secret: string }>('SELECT secret FROM two_factor');
    expect(stored.filter((row) => !row.secret.startsWith('v1.test.') || row.secret.includes(secret))).to.deep.equal([]);
    await database.none(
      'UPDATE two_factor SET secret = (SELECT secret FROM two_factor WHERE user_id = $1) WHERE user_id = $2',
      [ada.user, grace.user],
    );
    expect(await run(({ twoFactors }) => twoFactors.lock(ada.user))).to.deep.equal({ state: 'enabled', secret });
    const moved = await run(({ twoFactors }) => twoFactors.lock(grace.user)).catch((failure: unknown) => failure);
    expect(moved).to.be.an.instanceOf(Error);
  });

  for (const statement of [
    "UPDATE audit_log SET action = 'zone.deleted'",
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
  ]) {
    it(`cannot ${statement.split(' ')[0]} entries of the audit log`, async () => {
      const client = { network: undefined, userAgent: undefined };
      const entry = { actor: undefined, credential: undefined, organization: undefined, objects: {}, client };
      await run(({ auditLog }) => auditLog.record({ action: 'zone.created', ...entry }));
      const failure = await database.none(statement).catch((reason: unknown) => reason);
      expect(failure).to.have.property('message', 'the audit log takes new entries only');
    });
  }
});

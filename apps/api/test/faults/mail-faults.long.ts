import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRegistration, password } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { makeHome, startApi } from './support/api-process.ts';
import { openFaultyMailbox, tokenOf } from './support/faulty-mailbox.ts';
import { until } from './support/until.ts';

describe('Processes that are killed while they deliver mail', function () {
  this.timeout(60_000);

  it('repeat a mail, with the same token, when they die before the acknowledgement', async () => {
    const mailbox = await openFaultyMailbox();
    const acceptedFor = (email: string) => mailbox.accepted.filter(({ to }) => to === email);
    const home = makeHome();
    const { url, database } = await freshDatabase();
    const start = () => startApi(home, { DATABASE_URL: url, SMTP_URL: mailbox.url });
    const doomed = await start();
    mailbox.acknowledgeAfter(() => until(() => doomed.hasEnded()));
    const registration = aRegistration();
    expect((await clientOf(doomed.url).post('/api/auth/register', registration)).status).to.equal(201);
    await until(() => mailbox.unacknowledged.length > 0);
    await doomed.kill();
    await leasesEnd(database);
    const heir = await start();
    try {
      await until(() => acceptedFor(registration.email).length > 1);
      const [first, second] = acceptedFor(registration.email).map(tokenOf);
      expect(second).to.be.a('string').that.equals(first);
      const verified = await clientOf(heir.url).post('/api/auth/verify-email', { token: second });
      expect(verified.status).to.equal(200);
      expect((await clientOf(heir.url).post('/api/auth/login', { ...registration, password })).status).to.equal(200);
    } finally {
      await heir.kill();
      await database.$pool.end();
      home.remove();
      await mailbox.close();
    }
  });
});

/** Simulates a passed minute, when all leases have expired. */
const leasesEnd = (database: Database): Promise<null> =>
  database.none('UPDATE outbox_mails SET due_at = now() WHERE done_at IS NULL');

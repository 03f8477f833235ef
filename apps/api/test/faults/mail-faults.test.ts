import { plainPasswords } from '@zonewright/memory';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRegistration } from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { openService, openTwin, type TestService } from '../support/service.ts';
import { type FaultyMailbox, mailServerFaults, openFaultyMailbox, tokenOf } from './support/faulty-mailbox.ts';
import { measuredUpTo, median, timed } from './support/medians.ts';
import { until } from './support/until.ts';

describe('Mail delivery failures', function () {
  this.timeout(60_000);
  let mailbox: FaultyMailbox;
  let service: TestService;

  beforeEach(async () => {
    mailbox = await openFaultyMailbox();
    service = await openService({ smtpUrl: mailbox.url }, { passwords: plainPasswords() });
  });
  afterEach(async () => {
    await mailbox.become('working');
    await service.close();
    await mailbox.close();
  });

  const post = (path: string, body: unknown) => clientOf(service.url).post(path, body);
  const register = async () => {
    const registration = aRegistration();
    const reply = await post('/api/auth/register', registration);
    return { ...registration, reply };
  };
  const acceptedFor = (email: string) => mailbox.accepted.filter(({ to }) => to === email);
  const arrived = (email: string) =>
    until(async () => {
      await pausesPass(service.database);
      return acceptedFor(email)[0];
    });

  for (const fault of mailServerFaults) {
    it(`leave responses the same and as fast while the mail server is ${fault}`, async () => {
      const known = (await register()).email;
      const requests = {
        register: async () => (await register()).reply,
        'forgot-password': () => post('/api/auth/forgot-password', { email: known }),
        'resend-verification': () => post('/api/auth/resend-verification', { email: known }),
      };
      for (const [name, request] of Object.entries(requests)) {
        const difference = await measuredUpTo(
          3,
          (found) => found < 1.5,
          async () => {
            await mailbox.become('working');
            const usual = await samples(request);
            await mailbox.become(fault);
            const faulty = await samples(request);
            expect(faulty.answers, name).to.deep.equal(usual.answers);
            // Tolerates some milliseconds, which are negligible compared with a mail server's seconds.
            return (faulty.milliseconds - 20) / usual.milliseconds;
          },
        );
        expect(difference, name).to.be.below(1.5);
      }
    });

    it(`delay mails queued while the mail server is ${fault}; sent mails are wiped`, async () => {
      await mailbox.become(fault);
      const { email, reply } = await register();
      expect(reply.status).to.equal(201);
      await until(async () => (await attempts(service.database)) > 0);
      expect(acceptedFor(email)).to.deep.equal([]);
      await mailbox.become('working');
      const token = tokenOf(await arrived(email));
      expect((await post('/api/auth/verify-email', { token })).status).to.equal(200);
      await until(async () => (await unsent(service.database)) === 0);
      const rows = await service.database.any('SELECT payload FROM outbox_mails');
      expect(rows).to.deep.equal(rows.map(() => ({ payload: null })));
      expect(acceptedFor(email)).to.have.lengthOf(1);
    });
  }

  it('end delivery after twelve attempts, and the mail is wiped too', async () => {
    await mailbox.become('refusing');
    const { email } = await register();
    await until(async () => (await attempts(service.database)) === 1);
    await service.database.none('UPDATE outbox_mails SET attempts = 10');
    await until(async () => {
      await pausesPass(service.database);
      return (await unsent(service.database)) === 0;
    });
    expect(await service.database.any('SELECT payload, attempts FROM outbox_mails')).to.deep.equal([
      { payload: null, attempts: 12 },
    ]);
    expect(acceptedFor(email)).to.deep.equal([]);
  });

  it('do not occur with two instances: each mail is sent once, never by both', async () => {
    const twin = await openTwin(service, { smtpUrl: mailbox.url }, { passwords: plainPasswords() });
    const together: string[][] = [];
    mailbox.acknowledgeAfter(async () => {
      // Waits until both instances deliver concurrently, which is the state under test.
      if (together.length === 0) await until(() => mailbox.unacknowledged.length > 1 || together.length > 0);
      together.push(mailbox.unacknowledged.map(({ to }) => to));
    });
    try {
      const addresses = (await Promise.all(Array.from({ length: 20 }, register))).map(({ email }) => email);
      await until(async () => (await unsent(service.database)) === 0);
      expect(together[0]).to.have.lengthOf(2);
      for (const recipients of together) expect(new Set(recipients).size).to.equal(recipients.length);
      expect(mailbox.accepted.map(({ to }) => to).toSorted()).to.deep.equal(addresses.toSorted());
    } finally {
      mailbox.acknowledgeAfter(() => Promise.resolve());
      await twin.close();
    }
  });
});

const sampleCount = 9;

/** Normalized responses and their median time. */
async function samples(request: () => Promise<Reply>) {
  const replies: Reply[] = [];
  const times: number[] = [];
  for (let sample = 0; sample < sampleCount; sample += 1) {
    times.push(await timed(async () => replies.push(await request())));
  }
  const answers = replies.map(({ status, headers, text }) => ({
    status,
    headers: [...headers.keys()],
    text: text.replace(/"id":"[^"]+"/, ''),
  }));
  return { answers, milliseconds: median(times) };
}

/**
 * Simulates a passed hour: mails waiting for a retry become due. A delivery holds its 60-second lease for at most 30
 * seconds, so mails due sooner may be in delivery and are left alone.
 */
const pausesPass = (database: Database): Promise<null> =>
  database.none(
    `UPDATE outbox_mails SET due_at = now()
     WHERE done_at IS NULL AND due_at NOT BETWEEN now() + interval '30 s' AND now() + interval '60 s'`,
  );

const unsent = (database: Database): Promise<number> => number(database, 'count(*) FILTER (WHERE done_at IS NULL)');
const attempts = (database: Database): Promise<number> => number(database, 'coalesce(max(attempts), 0)');

const number = async (database: Database, expression: string): Promise<number> =>
  (await database.one<{ value: number }>(`SELECT (${expression})::int AS value FROM outbox_mails`)).value;

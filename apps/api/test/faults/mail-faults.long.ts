import { plainPasswords } from '@zonewright/memory';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRegistration, password } from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { openService, type TestService } from '../support/service.ts';
import { makeHome, startApi } from './support/api-process.ts';
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
    return { ...registration, reply: await post('/api/auth/register', registration) };
  };

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
  }
});

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

const sampleCount = 15;

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

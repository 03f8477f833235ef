import { expect } from 'chai';
import { until } from './faults/support/until.ts';
import { anApiToken, aVerifiedUser, invitationsOf, type User, unique } from './support/arrange.ts';
import { clientOf, expectProblem, statusCounts } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aChallenge, aTwoFactorUser, wrongCodeFor } from './support/two-factor.ts';

const invitationsADay = 9;
const noticesAnHour = 5;

describe('Mails', () => {
  let service: MemoryService;

  before(async () => {
    const { rateLimits, rateLimitScale } = defaultLimits();
    const limits = {
      ...rateLimits,
      'login-pair': { points: 20, seconds: 900 },
      'invite-user': { points: invitationsADay, seconds: 86_400 },
    };
    service = await openMemoryService({ rateLimits: limits, rateLimitScale, trustedProxies: ['127.0.0.0/8'] });
  });
  after(() => service.close());

  const address = () => `stranger${unique()}@example.com`;
  const invite = (user: User, email: string, headers = {}) =>
    user.post(invitationsOf(user), { email, role: 'viewer' }, headers);
  /** Resolves once no mail is waiting for delivery. */
  const delivered = () =>
    until(async () =>
      service.inTables(({ outbox }) => [...outbox.values()].every(({ doneAt }) => doneAt !== undefined)),
    );
  /** Number of mails delivered to the address. */
  const mailsTo = async (email: string) => {
    await delivered();
    return service.mails.recipients.filter((recipient) => recipient.toLowerCase() === email.toLowerCase()).length;
  };

  describe('for invitations', () => {
    it('reach a stranger three times a day, whoever invites the address and however often', async () => {
      const [ada, grace] = [await aVerifiedUser(service), await aVerifiedUser(service)];
      const email = address();
      for (let round = 0; round < 16; round += 1) {
        for (const user of [ada, grace]) {
          const reply = await invite(user, round % 2 === 0 ? email : email.toUpperCase());
          if (reply.status === 201) await user.delete(reply.headers.get('location') ?? '');
        }
      }
      expect(await mailsTo(email)).to.equal(3);
      const refused = await invite(ada, email);
      expectProblem(refused, 429, 'too-many-requests');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 86_400);
    });

    it('reach a stranger three times a day, including resent and renewed invitations', async () => {
      const ada = await aVerifiedUser(service);
      const email = address();
      const path = (await invite(ada, email)).headers.get('location') ?? '';
      expect((await ada.post(`${path}/resend`)).status).to.equal(200);
      service.inTables(({ invitations }) =>
        changeRows(invitations, (invitation) => invitation.email === email, { expiresAt: new Date(0) }),
      );
      const renewed = (await invite(ada, email)).headers.get('location') ?? '';
      expectProblem(await ada.post(`${renewed}/resend`), 429, 'too-many-requests');
      expect(await mailsTo(email)).to.equal(3);
    });

    it('are limited per user and day, concurrent or not', async () => {
      const ada = await aVerifiedUser(service);
      const replies = await Promise.all(Array.from({ length: invitationsADay + 3 }, () => invite(ada, address())));
      expect(statusCounts(replies)).to.deep.equal({ 201: invitationsADay, 429: 3 });
      const { plainToken } = await anApiToken(ada);
      const program = { ...ada, ...clientOf(service.url, { 'x-api-token': plainToken }) };
      expectProblem(await invite(program, address()), 429, 'too-many-requests');
    });
  });

  describe('to the owner of an account', () => {
    const from = (network: string, userAgent = 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/150.0') => ({
      'x-forwarded-for': network,
      'user-agent': userAgent,
    });
    const logIn = ({ email, password }: User, network: string) =>
      clientOf(service.url).post('/api/auth/login', { email, password }, from(network));

    it('report new API tokens, five times an hour; the last mail says so', async () => {
      const ada = await aVerifiedUser(service);
      for (let token = 0; token < noticesAnHour + 3; token += 1) await anApiToken(ada);
      expect(await mailsTo(ada.email)).to.equal(noticesAnHour);
      const texts = [];
      for (let mail = 0; mail < noticesAnHour; mail += 1) {
        texts.push((await service.mails.nextMailTo(ada.email)).text ?? '');
      }
      expect(texts[0]).to.match(
        /A new API token was created .*This happened on .* UTC, from the network 127\.0\.0\.1, with/s,
      );
      expect(texts.filter((text) => text.includes('for at least an hour'))).to.have.length(1);
    });

    it('report a sign-in from a new network once, but not the first or known ones', async () => {
      const ada = await aVerifiedUser(service);
      for (const network of ['192.0.2.1', '192.0.2.1']) expect((await logIn(ada, network)).status).to.equal(200);
      expect(await mailsTo(ada.email)).to.equal(0);
      const replies = await Promise.all(Array.from({ length: 10 }, () => logIn(ada, '2001:db8:1:2:3::4')));
      expect(statusCounts(replies)).to.deep.equal({ 200: 10 });
      expect((await logIn(ada, '192.0.2.1')).status).to.equal(200);
      expect(await mailsTo(ada.email)).to.equal(1);
      const { subject, text } = await service.mails.nextMailTo(ada.email);
      expect(subject).to.equal('New sign-in to your account at Zonewright');
      expect(text).to.contain('from the network 2001:db8:1:2::/64, with Firefox on Windows.');
    });

    it('report the lock after ten consecutive wrong codes once', async () => {
      const ada = await aTwoFactorUser(service);
      const code = wrongCodeFor(ada.secret);
      await service.mails.nextMailTo(ada.email);
      const statuses = [];
      for (let challenge = 0; challenge < 3; challenge += 1) {
        const challengeToken = await aChallenge(service, ada);
        for (let attempt = 0; attempt < 5; attempt += 1) {
          const reply = await clientOf(service.url).post('/api/auth/2fa', { challengeToken, code }, from('192.0.2.9'));
          statuses.push(reply.status);
        }
      }
      expect(statuses).to.deep.equal([...Array(10).fill(401), ...Array(5).fill(429)]);
      const { subject, text } = await service.mails.nextMailTo(ada.email);
      expect(subject).to.equal('Wrong codes were entered for your account at Zonewright');
      expect(text).to.contain('from the network 192.0.2.9, with Firefox on Windows.');
      expect(await mailsTo(ada.email)).to.equal(2);
    });
  });
});

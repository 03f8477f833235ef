import {
  deliverNextMail,
  emailKey,
  type Mail,
  MailedToken,
  type MailRequest,
  mailNotAccepted,
  notices,
  noticesPerHour,
  type QueuedMail,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { rollBack, storedAccount } from './arrangements.ts';
import { aMail, aNotice, anEmail, uuid } from './builders.ts';
import { casesOn, fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, hold } from './gate.ts';
import { concurrently, errorOf, okOf, raceSize, rejectionOf, rounds, runUnit, sequentially } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const outboxContract = contract('Outbox contract', (storage) => {
  describe('claim', () => claiming(storage));
  describe('markSent, retryLater and giveUp', () => ending(storage));
  describe('lockNoticeCount', () => noticeCounts(storage));
  describe('several workers', () => sharing(storage));
  describe('attempts', () => tries(storage));
});

async function queued(storage: Storage): Promise<Mail> {
  const mail = aMail();
  await runUnit(storage, ({ outbox }) => outbox.add(mail));
  return mail;
}

const claim = (storage: Storage, leaseSeconds = 60) => runUnit(storage, ({ outbox }) => outbox.claim(leaseSeconds));

async function claimed(storage: Storage) {
  const mail = await claim(storage);
  if (mail === undefined) throw new Error('There was no mail to claim.');
  return mail;
}

function claiming(storage: () => Storage): void {
  it('claims nothing from an empty outbox', async () => {
    expect(await claim(storage())).to.equal(undefined);
  });

  it('claims a mail as it was added', async () => {
    const mail = await queued(storage());
    const { id, queuedAt, ...rest } = await claimed(storage());
    expect(rest).to.deep.equal({ mail, attempts: 1 });
    expect(id).to.be.a('string');
    expect(queuedAt).to.be.a('date');
  });

  const others: readonly (Mail | MailRequest)[] = [
    ...notices.map((notice) => aNotice({ notice })),
    aNotice({ network: '192.0.2.1', userAgent: 'Browser/1.0', isLastForNow: true }),
    { kind: 'invitation', to: anEmail(), token: MailedToken.parse('token-of-an-invitation') },
    { kind: 'reset-password', to: anEmail(), token: MailedToken.parse('token-of-a-reset') },
    { kind: 'request', purpose: 'verify-email', email: emailKey(anEmail()) },
    { kind: 'request', purpose: 'reset-password', email: emailKey(anEmail()) },
  ];
  for (const mail of others) {
    const { kind, ...rest } = mail;
    it(`claims a mail of kind ${kind} ${'notice' in rest ? rest.notice : 'purpose' in rest ? rest.purpose : ''} as it was added`, async () => {
      await runUnit(storage(), ({ outbox }) => outbox.add(mail));
      expect((await claimed(storage())).mail).to.deep.equal(mail);
    });
  }

  it('finds no mail of a unit that was rolled back', async () => {
    await rollBack(storage(), ({ outbox }) => outbox.add(aMail()));
    expect(await claim(storage())).to.equal(undefined);
  });

  it('claims a mail right after it was added', async () => {
    for (let round = 1; round <= raceSize; round += 1) {
      const mail = aMail();
      const next = await runUnit(storage(), ({ outbox }) => outbox.add(mail).andThen(() => outbox.claim(60)));
      expect(next).to.deep.include({ mail, attempts: 1 });
    }
  });

  it('does not return a leased mail', async () => {
    await queued(storage());
    await claim(storage(), 60);
    await storage().passTime(50);
    expect(await claim(storage())).to.equal(undefined);
  });

  it('returns the mail again once the lease has expired, and counts attempts', async () => {
    const mail = await queued(storage());
    await claim(storage(), 60);
    await storage().passTime(60);
    expect(await claim(storage())).to.deep.include({ mail, attempts: 2 });
  });

  it('reports when a mail was queued, however late it is claimed', async () => {
    await queued(storage());
    const { id, queuedAt } = await claimed(storage());
    await runUnit(storage(), ({ outbox }) => outbox.retryLater(id, 0));
    expect((await claimed(storage())).queuedAt).to.deep.equal(queuedAt);
  });

  it('claims mails that people wait for first, then notices, then invitations', async () => {
    const token = MailedToken.parse('token');
    const mails: readonly (Mail | MailRequest)[] = [
      { kind: 'invitation', to: anEmail(), token },
      aNotice(),
      { kind: 'verify-email', to: anEmail(), token },
      { kind: 'reset-password', to: anEmail(), token },
      { kind: 'request', purpose: 'reset-password', email: emailKey(anEmail()) },
    ];
    for (const mail of mails) {
      await runUnit(storage(), ({ outbox }) => outbox.add(mail));
      await storage().passTime(1);
    }
    const taken = [];
    for (const _ of mails) taken.push((await claimed(storage())).mail);
    const [invitation, notice, ...account] = mails;
    expect(taken).to.deep.equal([...account, notice, invitation]);
  });

  it('claims the mail that is longest overdue', async () => {
    const first = await queued(storage());
    const { id } = await claimed(storage());
    await runUnit(storage(), ({ outbox }) => outbox.retryLater(id, 60));
    await storage().passTime(30);
    const second = await queued(storage());
    await storage().passTime(60);
    expect(await claim(storage())).to.deep.include({ mail: second });
    expect(await claim(storage())).to.deep.include({ mail: first });
  });
}

function ending(storage: () => Storage): void {
  for (const end of ['markSent', 'giveUp'] as const) {
    it(`${end} stops retries and wipes the content`, async () => {
      await queued(storage());
      expect(await storage().mailContents()).to.equal(1);
      const { id } = await claimed(storage());
      await runUnit(storage(), ({ outbox }) => outbox[end](id));
      await storage().passTime(100_000);
      expect(await claim(storage())).to.equal(undefined);
      expect(await storage().mailContents()).to.equal(0);
    });

    it(`${end} is final`, async () => {
      await queued(storage());
      const { id } = await claimed(storage());
      await runUnit(storage(), ({ outbox }) => outbox[end](id));
      await runUnit(storage(), ({ outbox }) => outbox.retryLater(id, 0));
      await runUnit(storage(), ({ outbox }) => outbox[end](id));
      expect(await claim(storage())).to.equal(undefined);
    });

    it(`${end} does not affect other mails`, async () => {
      await queued(storage());
      const other = await queued(storage());
      const { id } = await claimed(storage());
      await runUnit(storage(), ({ outbox }) => outbox[end](id));
      expect(await claim(storage())).to.deep.include({ mail: other });
    });
  }

  it('retryLater makes the mail due again after the delay, and not before', async () => {
    const mail = await queued(storage());
    const { id } = await claimed(storage());
    await runUnit(storage(), ({ outbox }) => outbox.retryLater(id, 300));
    await storage().passTime(290);
    expect(await claim(storage())).to.equal(undefined);
    await storage().passTime(10);
    expect(await claim(storage())).to.deep.include({ id, mail, attempts: 2 });
  });

  it('does nothing to a mail that does not exist', async () => {
    const id = uuid();
    await runUnit(storage(), ({ outbox }) => outbox.markSent(id));
    await runUnit(storage(), ({ outbox }) => outbox.retryLater(id, 0));
    await runUnit(storage(), ({ outbox }) => outbox.giveUp(id));
    expect(await claim(storage())).to.equal(undefined);
  });
}

function noticeCounts(storage: () => Storage): void {
  const notice = 'password-changed';
  const add = (...given: Parameters<typeof aNotice>) =>
    runUnit(storage(), ({ outbox }) => outbox.add(aNotice(...given)));
  const countOf = (user: UserId, seconds = 3600) =>
    runUnit(storage(), ({ outbox }) => outbox.lockNoticeCount(user, notice, seconds));

  it('counts recent notices of the kind to the user, sent or not', async () => {
    const [{ id: user }, { id: other }] = [await storedAccount(storage()), await storedAccount(storage())];
    expect(await countOf(user)).to.equal(0);
    await add({ user, notice });
    const { id } = await claimed(storage());
    await runUnit(storage(), ({ outbox }) => outbox.markSent(id));
    await storage().passTime(3000);
    await add({ user, notice });
    await add({ user, notice: 'api-token-created' });
    await add({ user: other, notice });
    expect(await countOf(user)).to.equal(2);
    await storage().passTime(3000);
    expect(await countOf(user)).to.equal(1);
  });

  it('makes a second unit wait until the first one has added its notice, and counts it', async () => {
    const { id: user } = await storedAccount(storage());
    const held = await hold(storage(), ({ outbox }) => outbox.lockNoticeCount(user, notice, 3600));
    const counting = countOf(user);
    await held.endBefore(counting, ({ outbox }) => outbox.add(aNotice({ user, notice })));
    expect(await counting).to.equal(1);
  });

  it('lets an hour’s share of twenty concurrent notices through, and marks the last one', async () => {
    const { id: user } = await storedAccount(storage());
    const client = { network: '192.0.2.1', userAgent: undefined };
    const report = casesOn(storage()).reportSecondFactorLock;
    await concurrently(raceSize, () => okOf(report(user, client)));
    const sent = [];
    for (let next = await claim(storage()); next !== undefined; next = await claim(storage())) sent.push(next.mail);
    expect(sent).to.have.length(noticesPerHour);
    expect(sent.filter((mail) => mail.kind === 'notice' && mail.isLastForNow)).to.have.length(1);
  });
}

const tokensOf = (mails: readonly QueuedMail['mail'][]) =>
  mails.map((mail) => ('token' in mail ? String(mail.token) : mail.kind)).toSorted();

function sharing(storage: () => Storage): void {
  it('gives each of thirty mails to one of ten workers', async () => {
    for (const _ of rounds) {
      const mails = await concurrently(30, () => queued(storage()));
      const taken = await concurrently(10, async () => {
        const mine: QueuedMail['mail'][] = [];
        for (let next = await claim(storage()); next !== undefined; next = await claim(storage())) mine.push(next.mail);
        return mine;
      });
      expect(tokensOf(taken.flat())).to.deep.equal(tokensOf(mails));
    }
  });

  it('gives a second worker the next mail without waiting for the first', async () => {
    const first = await queued(storage());
    await storage().passTime(10);
    const second = await queued(storage());
    const held = await hold(storage(), ({ outbox }) => outbox.claim(60));
    const claiming = claim(storage());
    expect(await goesOn(storage(), claiming)).to.equal(true);
    await held.release();
    expect(await claiming).to.deep.include({ mail: second });
    await storage().passTime(60);
    expect(await claim(storage())).to.deep.include({ mail: first, attempts: 2 });
  });

  it('gives the mail to the next worker if the claim was rolled back', async () => {
    const mail = await queued(storage());
    await rollBack(storage(), ({ outbox }) => outbox.claim(60));
    expect(await claim(storage())).to.deep.include({ mail, attempts: 1 });
  });

  it('delivers each of twenty mails once through ten workers', async () => {
    const mails = await concurrently(20, () => queued(storage()));
    const sent: Mail[] = [];
    const mailer = { send: (mail: Mail) => okAsync(void sent.push(mail)) };
    const deliver = deliverNextMail({ unitOfWork: storage().unitOfWork, mailer, ...fakePorts });
    await concurrently(10, async () => {
      while ((await okOf(deliver())) === 'done');
    });
    expect(tokensOf(sent)).to.deep.equal(tokensOf(mails));
    expect(await storage().mailContents()).to.equal(0);
  });

  it('delivers a reset before a thousand invitations that were queued earlier', async () => {
    const { email } = await storedAccount(storage());
    const token = MailedToken.parse('token');
    const backlog = Array.from({ length: 1000 }, (): Mail => ({ kind: 'invitation', to: anEmail(), token }));
    await runUnit(storage(), ({ outbox }) => sequentially(backlog, (mail) => outbox.add(mail)));
    await storage().passTime(60);
    await runUnit(storage(), ({ outbox }) =>
      outbox.add({ kind: 'request', purpose: 'reset-password', email: emailKey(email) }),
    );
    const sent: Mail[] = [];
    const mailer = { send: (mail: Mail) => okAsync(void sent.push(mail)) };
    const deliver = deliverNextMail({ unitOfWork: storage().unitOfWork, mailer, ...fakePorts });
    while (sent.length === 0) await okOf(deliver());
    expect(sent.map(({ kind, to }) => [kind, to])).to.deep.equal([['reset-password', email]]);
  });

  it('keeps a rejected mail for a retry', async () => {
    const mail = await queued(storage());
    const mailer = { send: () => errAsync(mailNotAccepted('the server is down')) };
    const deliver = deliverNextMail({ unitOfWork: storage().unitOfWork, mailer, ...fakePorts });
    expect(await errorOf(deliver())).to.deep.equal({ type: 'MailNotAccepted', reason: 'the server is down' });
    expect(await okOf(deliver())).to.equal('nothing due');
    await storage().passTime(10);
    expect(await claim(storage())).to.deep.include({ mail, attempts: 2 });
  });
}

/** Maximum number of attempts per mail. */
const cap = 12;

function tries(storage: () => Storage): void {
  const deliverWith = (given: Partial<Parameters<typeof deliverNextMail>[0]>) =>
    deliverNextMail({ unitOfWork: storage().unitOfWork, mailer: { send: () => okAsync() }, ...fakePorts, ...given });
  const refusing = () => deliverWith({ mailer: { send: () => errAsync(mailNotAccepted('not today')) } });
  /** Fails while creating the token for a requested mail, as a defect would. */
  const broken = () => {
    const token = () => {
      throw new Error('no token today');
    };
    return deliverWith({ randomness: { ...fakePorts.randomness, token } });
  };
  const request = async () => {
    const { email } = await storedAccount(storage());
    await runUnit(storage(), ({ outbox }) =>
      outbox.add({ kind: 'request', purpose: 'reset-password', email: emailKey(email) }),
    );
  };
  const breakOff = async (times: number) => {
    for (let time = 1; time <= times; time += 1) {
      expect(await rejectionOf(broken()()))
        .to.be.an('error')
        .with.property('message', 'no token today');
      await storage().passTime(60);
    }
  };

  it(`end after a mail was rejected ${cap} times, and its content is wiped`, async () => {
    await queued(storage());
    for (let time = 1; time <= cap; time += 1) {
      expect(await storage().mailContents(), `before try ${time}`).to.equal(1);
      expect(await errorOf(refusing()())).to.include({ type: 'MailNotAccepted' });
      await storage().passTime(3600);
    }
    expect(await storage().mailContents()).to.equal(0);
    expect(await okOf(refusing()())).to.equal('nothing due');
  });

  it(`can turn a request into a mail as late as the ${cap}th time`, async () => {
    await request();
    await breakOff(cap - 1);
    expect(await okOf(deliverWith({})())).to.equal('done');
    expect((await claimed(storage())).mail.kind).to.equal('reset-password');
  });

  it(`end after a request failed ${cap} times`, async () => {
    await request();
    await breakOff(cap);
    expect(await okOf(broken()())).to.equal('done');
    expect(await okOf(broken()())).to.equal('nothing due');
    expect(await storage().mailContents()).to.equal(0);
  });
}

import { deliverNextMail, emailKey, type Mail, MailedToken, mailNotAccepted, type QueuedMail } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { rollBack, storedAccount } from '../../arrangements/index.ts';
import { anEmail } from '../../builders/index.ts';
import { fakePorts } from '../../fakes.ts';
import { goesOn, hold } from '../../gate.ts';
import { concurrently, errorOf, okOf, rounds, runUnit, sequentially } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { claim, queued } from './mails.ts';

const tokensOf = (mails: readonly QueuedMail['mail'][]) =>
  mails.map((mail) => ('token' in mail ? String(mail.token) : mail.kind)).toSorted();

/** Several workers, which share the mails. */
export function sharing(storage: () => Storage): void {
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

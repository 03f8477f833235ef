import { emailKey, type Mail, MailedToken, type MailRequest, notices } from '@zonewright/core';
import { expect } from 'chai';
import { aMail, aNotice, anEmail } from '../../builders/index.ts';
import { raceSize, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { claim, claimed, queued } from './mails.ts';

/** Which mail a worker gets next, and for how long. */
export function claiming(storage: () => Storage): void {
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

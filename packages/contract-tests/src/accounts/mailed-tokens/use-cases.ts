import { deliverNextMail, type Mail, MailedToken, Password, useCases as wired } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { storedAccount, storedSession } from '../../arrangements/index.ts';
import { noClient, unique } from '../../builders/index.ts';
import { casesOn, fakePorts } from '../../fakes.ts';
import { concurrently, okOf, raceSize, readView, rounds, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { issued } from './tokens.ts';

/** Concurrent resets and requests, through the use cases. */
export function useCases(storage: () => Storage): void {
  it('set one of twenty passwords with a mailed token, and end every session', async () => {
    const reset = casesOn(storage()).resetPassword;
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      await storedSession(storage(), { userId });
      const token = MailedToken.parse(`token-${unique()}`);
      await issued(storage(), { userId, purpose: 'reset-password', hash: fakePorts.tokenHashes.of(token) });
      const results = await concurrently(raceSize, (index) =>
        reset(token, Password.parse(`Secret-${index}`), noClient),
      );
      expect(tally(results)).to.deep.equal({ Ok: 1, MailedTokenInvalid: raceSize - 1 });
      const winner = results.findIndex((result) => result.isOk());
      const facts = await readView(storage(), ({ accounts }) => accounts.facts(userId));
      expect(facts).to.include({ passwordHash: `hash of Secret-${winner}`, credentialsVersion: 2 });
      expect(await storage().liveRefreshTokens(userId)).to.equal(0);
    }
  });

  it('send no more mails to an account than the cap allows, however many request and deliver them', async () => {
    const { email } = await storedAccount(storage());
    const { unitOfWork } = storage();
    const ask = wired({ unitOfWork }).requestMail;
    await concurrently(raceSize, () => ask('reset-password', email, noClient));
    const sent: Mail[] = [];
    const mailer = { send: (mail: Mail) => okAsync(void sent.push(mail)) };
    const deliver = deliverNextMail({ unitOfWork, mailer, ...fakePorts });
    await concurrently(10, async () => {
      while ((await okOf(deliver())) === 'done');
    });
    // A worker that finds nothing due stops, even if another one is still preparing a mail.
    while ((await okOf(deliver())) === 'done');
    expect(sent.map(({ kind, to }) => ({ kind, to }))).to.deep.equal(
      Array.from({ length: fakePorts.cap.mailsPerHour }, () => ({ kind: 'reset-password', to: email })),
    );
    expect(await storage().mailContents()).to.equal(0);
  });
}

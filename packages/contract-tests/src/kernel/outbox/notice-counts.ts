import { noticesPerHour, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { aNotice } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { concurrently, okOf, raceSize, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { claim, claimed } from './mails.ts';

/** The number of recent notices to a user, which has a limit. */
export function noticeCounts(storage: () => Storage): void {
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

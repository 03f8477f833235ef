import { expect } from 'chai';
import { uuid } from '../../builders/index.ts';
import { runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { claim, claimed, queued } from './mails.ts';

/** What a worker does with a claimed mail. */
export function ending(storage: () => Storage): void {
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

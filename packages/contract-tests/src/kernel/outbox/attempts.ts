import { deliverNextMail, emailKey, mailNotAccepted } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { storedAccount } from '../../arrangements/index.ts';
import { fakePorts } from '../../fakes.ts';
import { errorOf, okOf, rejectionOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { claimed, queued } from './mails.ts';

/** Maximum number of attempts per mail. */
const cap = 12;

/** How often a mail is tried, whatever keeps it from being sent. */
export function tries(storage: () => Storage): void {
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

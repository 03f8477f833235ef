import {
  deliverNextMail,
  Email,
  type Mail,
  MailedToken,
  type Mailer,
  mailNotAccepted,
  retryDelaySeconds,
} from '@zonewright/core';
import { memoryMailer } from '@zonewright/memory';
import { expect } from 'chai';
import { err, errAsync, ok, okAsync } from 'neverthrow';
import { valueOf } from '../../../support/outcomes.ts';
import { aWorld, everythingIn, hours, inTables, type World } from '../../../support/world.ts';

const aMail = (to = 'ada@example.org'): Mail => ({
  kind: 'verify-email',
  to: Email.parse(to),
  token: MailedToken.parse('token'),
});

const queue = (world: World, mail: Mail) => valueOf(world.unitOfWork.run(({ outbox }) => outbox.add(mail)));
const queuedIn = (world: World) =>
  [...everythingIn(world).outbox.values()].map(({ doneAt, ...row }) => ({ ...row, done: doneAt !== undefined }));

const refusal = mailNotAccepted('451 try again later');
const refusingMailer = (): Mailer & { readonly tries: readonly Mail[] } => {
  const tries: Mail[] = [];
  return {
    tries,
    send: (mail) => {
      tries.push(mail);
      return errAsync(refusal);
    },
  };
};

const aWorldWithMail = async () => {
  const world = aWorld();
  await queue(world, aMail());
  return world;
};

describe('deliverNextMail', () => {
  it('sends the mail once, and wipes it', async () => {
    const world = await aWorldWithMail();
    const mailer = memoryMailer();
    const deliver = deliverNextMail({ ...world, mailer });
    expect(await deliver()).to.deep.equal(ok('done'));
    expect(queuedIn(world).map(({ mail, done }) => ({ mail, done }))).to.deep.equal([{ mail: undefined, done: true }]);
    world.clock.advance(hours(24));
    expect(await deliver()).to.deep.equal(ok('nothing due'));
    expect(mailer.sent).to.deep.equal([aMail()]);
  });

  it('has no transaction open while sending', async () => {
    const world = await aWorldWithMail();
    const mailer: Mailer = {
      // Units run one after another here, so inside an open one this would never end.
      send: () => world.unitOfWork.run(() => okAsync(undefined)),
    };
    expect(await deliverNextMail({ ...world, mailer })()).to.deep.equal(ok('done'));
  });

  describe('if the mail is rejected', () => {
    it('reports the reason, and keeps the mail', async () => {
      const world = await aWorldWithMail();
      expect(await deliverNextMail({ ...world, mailer: refusingMailer() })()).to.deep.equal(err(refusal));
      expect(queuedIn(world).map(({ mail, done }) => ({ mail, done }))).to.deep.equal([{ mail: aMail(), done: false }]);
    });

    it('waits longer after every rejection, gives up after the twelfth, and wipes the mail', async () => {
      const world = await aWorldWithMail();
      const mailer = refusingMailer();
      const deliver = deliverNextMail({ ...world, mailer });
      for (let attempt = 1; attempt <= 11; attempt += 1) {
        expect(await deliver()).to.deep.equal(err(refusal));
        world.clock.advance(retryDelaySeconds(attempt) - 1);
        expect(await deliver()).to.deep.equal(ok('nothing due'));
        world.clock.advance(1);
      }
      expect(queuedIn(world)[0]).to.deep.include({ mail: aMail(), attempts: 11, done: false });
      expect(await deliver()).to.deep.equal(err(refusal));
      expect(queuedIn(world)[0]).to.deep.include({ mail: undefined, attempts: 12, done: true });
      world.clock.advance(hours(1000));
      expect(await deliver()).to.deep.equal(ok('nothing due'));
      expect(mailer.tries).to.have.length(12);
    });
  });

  describe('if the mail cannot be decrypted', () => {
    const aWorldWithUnreadableMail = async () => {
      const world = await aWorldWithMail();
      inTables(world, ({ outbox }) => {
        for (const [id, row] of outbox) outbox.set(id, { ...row, mail: { kind: 'unreadable' } });
      });
      return world;
    };
    const unreadable = mailNotAccepted('the queued mail cannot be decrypted');

    it('reports it, delivers the others, and retries it once it can be read', async () => {
      const world = await aWorldWithUnreadableMail();
      await queue(world, aMail('b@example.org'));
      const mailer = memoryMailer();
      const deliver = deliverNextMail({ ...world, mailer });
      expect(await deliver()).to.deep.equal(err(unreadable));
      expect(await deliver()).to.deep.equal(ok('done'));
      expect(mailer.sent).to.deep.equal([aMail('b@example.org')]);
      inTables(world, ({ outbox }) => {
        for (const [id, row] of outbox) if (row.doneAt === undefined) outbox.set(id, { ...row, mail: aMail() });
      });
      expect(await deliver()).to.deep.equal(ok('nothing due'));
      world.clock.advance(retryDelaySeconds(1));
      expect(await deliver()).to.deep.equal(ok('done'));
      expect(mailer.sent).to.deep.equal([aMail('b@example.org'), aMail()]);
    });

    it('gives up after the twelfth attempt', async () => {
      const world = await aWorldWithUnreadableMail();
      const deliver = deliverNextMail({ ...world, mailer: memoryMailer() });
      for (let attempt = 1; attempt <= 12; attempt += 1) {
        expect(await deliver()).to.deep.equal(err(unreadable));
        world.clock.advance(hours(1));
      }
      expect(await deliver()).to.deep.equal(ok('nothing due'));
      expect(queuedIn(world)[0]).to.deep.include({ mail: undefined, attempts: 12, done: true });
    });
  });

  describe('if the instance dies while sending', () => {
    const dieWhileDelivering = async (world: World) => {
      await valueOf(world.unitOfWork.run(({ outbox }) => outbox.claim(60)));
    };

    it('blocks the mail for 60 seconds, and releases it afterwards', async () => {
      const world = await aWorldWithMail();
      const mailer = memoryMailer();
      const deliver = deliverNextMail({ ...world, mailer });
      await dieWhileDelivering(world);
      world.clock.advance(59);
      expect(await deliver()).to.deep.equal(ok('nothing due'));
      world.clock.advance(1);
      expect(await deliver()).to.deep.equal(ok('done'));
      expect(mailer.sent).to.deep.equal([aMail()]);
    });
  });

  it('is a defect, not a rejection, if the mailer throws; the mail stays queued', async () => {
    const world = await aWorldWithMail();
    const mailer: Mailer = {
      send: () => {
        throw new Error('broken');
      },
    };
    const rejection = await deliverNextMail({ ...world, mailer })().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(rejection).to.be.an('error').with.property('message', 'broken');
    expect(queuedIn(world)[0]).to.deep.include({ mail: aMail(), done: false });
  });
});

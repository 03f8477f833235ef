import type { DeliverNextMail } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, ResultAsync } from 'neverthrow';
import { pino } from 'pino';
import { mailWorker } from '../src/process/workers/mail-worker.ts';
import { until } from './faults/support/until.ts';

describe('mailWorker', () => {
  it('delivers three mails at a time, and stops when all deliveries have ended', async () => {
    const ends: (() => void)[] = [];
    const deliverNextMail: DeliverNextMail = () =>
      ends.length < 3
        ? ResultAsync.fromSafePromise(new Promise<void>((resolve) => ends.push(resolve))).map(() => 'done' as const)
        : okAsync('nothing due' as const);
    const worker = mailWorker({ deliverNextMail, log: pino({ level: 'silent' }) });
    worker.start();
    await until(() => ends.length === 3);
    const events: string[] = [];
    const stopped = worker.stop().then(() => events.push('stopped'));
    for (const end of ends) {
      await new Promise(setImmediate);
      events.push('ended');
      end();
    }
    await stopped;
    expect(events).to.deep.equal(['ended', 'ended', 'ended', 'stopped']);
  });
});

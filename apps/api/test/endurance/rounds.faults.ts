import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { expectConsistentDatabase } from '../faults/support/people.ts';
import { until } from '../faults/support/until.ts';
import { type Fault, faults } from './faults.ts';
import { World } from './world.ts';

const rounds = Number(process.env['ROUNDS'] ?? 20);
const chosen = faults.filter(({ name }) => new RegExp(process.env['FAULT'] ?? '').test(name));
const writers = 8;
/** How long writes continue before and after a fault. */
const undisturbedMilliseconds = 1500;

/**
 * Run by `pnpm test faults`, as root on Debian with `postgresql` and `faketime`: each of `ROUNDS` rounds injects a fault
 * during writes through two services; `FAULT`, a regular expression, chooses faults by name. Acknowledged writes persist
 * exactly once, nothing is half-written, services stay up, and the only 5xx response is 503.
 */
describe('Faults under mixed writes', function () {
  this.timeout(180_000);
  this.bail(true);
  let world: World;

  before(async () => {
    world = await World.open({ writers, megabytes: 512 });
  });
  after(() => world.close());

  for (let round = 0; round < rounds; round += 1) {
    // There is at least one fault.
    const fault = chosen[round % chosen.length] as Fault;
    it(`round ${round + 1}: ${fault.name}`, async () => {
      const stop = new AbortController();
      const work = Promise.all(world.writers.map((writer) => writer.work(stop.signal)));
      await delay(undisturbedMilliseconds);
      world.counter.take();
      await Promise.race([fault.happen(world), work]);
      await delay(undisturbedMilliseconds);
      stop.abort();
      await work;
      report(fault);
      for (const service of world.processes) expect(service.hasEnded(), service.output().slice(-4000)).to.equal(false);
      expect(world.counter.unexpectedResponses).to.deep.equal([]);
      await expectAllWritten();
    });
  }

  it('sent a mail for every registration', async () => {
    const registered = world.writers.flatMap((writer) => writer.registered);
    const delivered = () => new Set(world.mails.accepted.map(({ to }) => to));
    await until(() => registered.every((email) => delivered().has(email)), { seconds: 120 });
    process.stdout.write(`    ${registered.length} mails wanted, ${world.mails.accepted.length} delivered\n`);
  });

  function report({ name }: Fault): void {
    const { acknowledged, unavailable, cut, silence } = world.counter.take();
    process.stdout.write(
      `    ${name}: ${acknowledged} writes acknowledged, ${unavailable} answers 503, ${cut} cut, ` +
        `no write for up to ${silence} ms\n`,
    );
  }

  /** Both services return everything that was acknowledged. */
  async function expectAllWritten(): Promise<void> {
    for (const url of world.urls()) {
      for (const writer of world.writers) {
        const { rules, isAsWritten } = await writer.found(url);
        expect(isAsWritten, `${JSON.stringify(rules)}\n${JSON.stringify(writer.expected)}`).to.equal(true);
      }
    }
    await world.withDatabase(expectConsistentDatabase);
  }
});

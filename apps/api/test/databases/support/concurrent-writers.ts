import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Counter, type Tally, Writer } from '../../endurance/traffic.ts';
import type { Place } from '../../faults/support/people.ts';
import { aVerifiedUser, aZone } from '../../support/arrange.ts';

const undisturbedMilliseconds = 1500;

/** Concurrent writers that use several services, retry through faults, and remember what was acknowledged. */
export class ConcurrentWriters {
  readonly #urls: readonly string[];
  readonly #counter: Counter;
  readonly #writers: readonly Writer[];

  private constructor(urls: readonly string[], counter: Counter, writers: readonly Writer[]) {
    this.#urls = urls;
    this.#counter = counter;
    this.#writers = writers;
  }

  static async invite(urls: readonly string[], database: Place['database'], count: number): Promise<ConcurrentWriters> {
    const [url = ''] = urls;
    const counter = new Counter();
    const invited = Array.from({ length: count }, async () => {
      const user = await aVerifiedUser({ url, database });
      return new Writer(user, { zone: await aZone(user), services: () => urls, counter });
    });
    return new ConcurrentWriters(urls, counter, await Promise.all(invited));
  }

  /**
   * Writes before, during and after an event. Requires that responses are successes or 503, that every service returns
   * all acknowledged writes, and that rule positions have no gaps. Resolves to the tally.
   */
  async meanwhile(happen: () => Promise<void>): Promise<Tally> {
    const stop = new AbortController();
    this.#counter.take();
    const work = Promise.all(this.#writers.map((writer) => writer.work(stop.signal)));
    await delay(undisturbedMilliseconds);
    await Promise.race([happen(), work]);
    await delay(undisturbedMilliseconds);
    stop.abort();
    await work;
    expect(this.#counter.unexpectedResponses).to.deep.equal([]);
    const tally = this.#counter.take();
    expect(tally.cut, 'requests without an answer').to.equal(0);
    await this.#expectAllWritten();
    return tally;
  }

  async #expectAllWritten(): Promise<void> {
    for (const url of this.#urls) {
      for (const writer of this.#writers) {
        const { rules, isAsWritten } = await writer.found(url);
        expect(isAsWritten, `${JSON.stringify(rules)}\n${JSON.stringify(writer.expected)}`).to.equal(true);
      }
    }
  }
}

/** Prints the figures of a round. */
export function report(what: string, { acknowledged, unavailable, silence }: Tally): void {
  const line = `${what}: ${acknowledged} writes acknowledged, ${unavailable} answers 503, no write for up to ${silence} ms`;
  process.stdout.write(`      ${line}\n`);
}

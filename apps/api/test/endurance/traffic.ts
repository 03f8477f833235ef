import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Person } from '../faults/support/people.ts';
import { aRegistration, logIn, rulesOf, someConditions, type User, unique, type ZoneBody } from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';

/** Outcomes of requests since the last reading. */
export interface Tally {
  /** Successful writes. */
  readonly acknowledged: number;
  /** Responses with 503. */
  readonly unavailable: number;
  /** Requests without a response: the connection was refused or cut. */
  readonly cut: number;
  /** The longest time without an acknowledged write, in milliseconds. */
  readonly silence: number;
}

/** A rule as its writer last left it. */
interface Expected {
  readonly id: string;
  readonly name: string;
}

/** The services a writer may currently use. */
export type Services = () => readonly string[];

/** A write, and the statuses that mean it is done; `doneBefore` applies only after an attempt with unknown outcome. */
interface Write {
  readonly send: (to: Sender) => Promise<Reply>;
  readonly done: readonly number[];
  readonly doneBefore?: readonly number[];
}

type Sender = ReturnType<typeof clientOf>;

const longestList = 30;
/** A writer gives up when a write fails for this long. */
const timeoutSeconds = 60;

/** Counts the outcomes of all writers in a run. */
export class Counter {
  readonly #unexpected: string[] = [];
  #acknowledged = 0;
  #unavailable = 0;
  #cut = 0;
  #silence = 0;
  #last = performance.now();

  acknowledge(): void {
    const now = performance.now();
    this.#silence = Math.max(this.#silence, now - this.#last);
    this.#last = now;
    this.#acknowledged += 1;
  }

  unavailable(): void {
    this.#unavailable += 1;
  }

  cut(): void {
    this.#cut += 1;
  }

  unexpected(reply: Reply): void {
    this.#unexpected.push(`${reply.status} ${reply.text.slice(0, 300)}`);
  }

  /** Responses that no fault explains. */
  get unexpectedResponses(): readonly string[] {
    return this.#unexpected;
  }

  /** Returns the counts and resets them. */
  take(): Tally {
    const tally = {
      acknowledged: this.#acknowledged,
      unavailable: this.#unavailable,
      cut: this.#cut,
      silence: Math.round(this.#silence),
    };
    [this.#acknowledged, this.#unavailable, this.#cut, this.#silence] = [0, 0, 0, 0];
    this.#last = performance.now();
    return tally;
  }
}

/**
 * Changes the rules of its own zone, one write after the other, and tracks the expected state. A write without a
 * response, or with 503, is retried until it is done, as a careful client would.
 */
export class Writer {
  readonly zone: ZoneBody;
  readonly #person: Person;
  readonly #services: Services;
  readonly #counter: Counter;
  #token: string;
  #rules: readonly Expected[] = [];
  #notes: string | undefined;
  readonly registered: string[] = [];

  constructor(
    { token, ...person }: User,
    options: { readonly zone: ZoneBody; readonly services: Services; readonly counter: Counter },
  ) {
    this.#person = person;
    this.#token = token;
    this.zone = options.zone;
    this.#services = options.services;
    this.#counter = options.counter;
  }

  /** Writes until aborted, pausing between completed writes. */
  async work(signal: AbortSignal, pause = 0): Promise<void> {
    while (!signal.aborted) {
      await this.#once();
      if (pause > 0) await delay(pause);
    }
  }

  /** The expected rule names, in order. */
  get expected(): readonly Expected[] {
    return this.#rules;
  }

  /** The zone's current state according to a service. */
  async found(url: string): Promise<{ readonly rules: readonly Expected[]; readonly isAsWritten: boolean }> {
    const client = clientOf(url, this.#headers());
    const reply = await client.get(`${rulesOf(this.zone)}?pagination=false`, { accept: 'application/json' });
    const list = reply.json() as readonly (Expected & { readonly order: number })[];
    const contiguous = list.every(({ order }, index) => order === index + 1);
    const rules = list.map(({ id, name }) => ({ id, name }));
    const zone = (await client.get(`/api/zones/${this.zone.id}`, { accept: 'application/json' })).json() as ZoneBody;
    const sameName = this.#notes === undefined || zone.name === this.#notes;
    return { rules, isAsWritten: contiguous && sameName && JSON.stringify(rules) === JSON.stringify(this.#rules) };
  }

  #once(): Promise<void> {
    const length = this.#rules.length;
    if (length < 3) return this.#create();
    const dice = randomInt(100);
    if (dice < 20) return length < longestList ? this.#create() : this.#remove();
    if (dice < 45) return this.#move();
    if (dice < 70) return this.#rename();
    if (dice < 85) return this.#remove();
    if (dice < 98) return this.#renameZone();
    return this.#register();
  }

  async #create(): Promise<void> {
    const at = randomInt(this.#rules.length + 1);
    const name = `rule-${unique()}`;
    const headers = { 'idempotency-key': randomUUID(), accept: 'application/json' };
    const body = { name, conditions: someConditions(), order: at + 1 };
    const reply = await this.#write({ send: (to) => to.post(rulesOf(this.zone), body, headers), done: [201] });
    this.#rules = this.#rules.toSpliced(at, 0, { id: (reply.json() as Expected).id, name });
  }

  async #move(): Promise<void> {
    const { at, rule, path } = this.#any();
    const to = randomInt(this.#rules.length);
    await this.#write({ send: (client) => client.patch(path, { order: to + 1 }), done: [200] });
    this.#rules = this.#rules.toSpliced(at, 1).toSpliced(to, 0, rule);
  }

  async #rename(): Promise<void> {
    const { at, rule, path } = this.#any();
    const name = `renamed-${unique()}`;
    await this.#write({ send: (to) => to.patch(path, { name }), done: [200] });
    this.#rules = this.#rules.with(at, { ...rule, name });
  }

  async #remove(): Promise<void> {
    const { at, path } = this.#any();
    await this.#write({ send: (to) => to.delete(path), done: [204], doneBefore: [404] });
    this.#rules = this.#rules.toSpliced(at, 1);
  }

  async #renameZone(): Promise<void> {
    const name = `zone-${unique()}`;
    await this.#write({ send: (to) => to.patch(`/api/zones/${this.zone.id}`, { name }), done: [200] });
    this.#notes = name;
  }

  /** Each registration sends a mail. */
  async #register(): Promise<void> {
    const registration = aRegistration();
    await this.#write({
      send: (to) => to.post('/api/auth/register', registration),
      done: [201],
      doneBefore: [409],
    });
    this.registered.push(registration.email);
  }

  #any(): { readonly at: number; readonly rule: Expected; readonly path: string } {
    const at = randomInt(this.#rules.length);
    // There are at least three.
    const rule = this.#rules[at] as Expected;
    return { at, rule, path: `${rulesOf(this.zone)}/${rule.id}` };
  }

  /** Sends the write to one service after the other until it is done. */
  async #write({ send, done, doneBefore = [] }: Write): Promise<Reply> {
    const giveUpAt = performance.now() + timeoutSeconds * 1000;
    let isUnknown = false;
    while (performance.now() < giveUpAt) {
      const reply = await this.#try(send);
      if (reply !== undefined && (done.includes(reply.status) || (isUnknown && doneBefore.includes(reply.status)))) {
        this.#counter.acknowledge();
        return reply;
      }
      isUnknown = true;
      await this.#afterFailure(reply);
    }
    throw new Error(`Not done within ${timeoutSeconds} seconds: ${this.#counter.unexpectedResponses.join('\n')}`);
  }

  async #try(send: Write['send']): Promise<Reply | undefined> {
    const services = this.#services();
    const url = services[randomInt(services.length)] ?? '';
    return send(clientOf(url, this.#headers())).catch(() => undefined);
  }

  async #afterFailure(reply: Reply | undefined): Promise<void> {
    if (reply === undefined) this.#counter.cut();
    else if (reply.status === 503) this.#counter.unavailable();
    else if (reply.status === 401) return this.#signIn();
    else this.#counter.unexpected(reply);
    await delay(50);
  }

  /** Access tokens expire after some minutes. */
  async #signIn(): Promise<void> {
    for (const url of this.#services()) {
      const tokens = await logIn({ url }, this.#person).catch(() => undefined);
      if (tokens !== undefined) this.#token = tokens.token;
    }
  }

  #headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#token}` };
  }
}

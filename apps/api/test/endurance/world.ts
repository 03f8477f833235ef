import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { type DatabaseLink, openDatabaseLink } from '../faults/support/database-link.ts';
import { type FaultyMailbox, openFaultyMailbox } from '../faults/support/faulty-mailbox.ts';
import { aVerifiedUser, aZone } from '../support/arrange.ts';
import { PostgresServer } from './postgres-server.ts';
import { Counter, Writer } from './traffic.ts';

/** Shifts the wall clock of a program, as on a machine without time synchronization. */
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Two services on one Debian PostgreSQL server, a mail server, and constant writers. */
export class World {
  readonly disk: string;
  readonly counter = new Counter();
  readonly mails: FaultyMailbox;
  readonly link: DatabaseLink;
  server: PostgresServer;
  writers: readonly Writer[] = [];
  readonly #home: Home;
  readonly #services: ApiProcess[] = [];
  #serversMade = 1;

  private constructor(parts: {
    readonly disk: string;
    readonly server: PostgresServer;
    readonly link: DatabaseLink;
    readonly mails: FaultyMailbox;
  }) {
    this.disk = parts.disk;
    this.server = parts.server;
    this.link = parts.link;
    this.mails = parts.mails;
    this.#home = makeHome();
  }

  /** `megabytes` is the size of the database's disk. */
  static async open({ writers, megabytes }: { readonly writers: number; readonly megabytes: number }): Promise<World> {
    const disk = mkdtempSync(join(tmpdir(), 'zonewright-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk]);
    const folder = join(disk, 'server-1');
    mkdirSync(folder);
    const server = await PostgresServer.create(folder);
    await server.start();
    const [link, mails] = [await openDatabaseLink(server.url), await openFaultyMailbox()];
    const world = new World({ disk, server, link, mails });
    for (let index = 0; index < 2; index += 1) world.#services.push(await world.#startService());
    await world.#invite(writers);
    return world;
  }

  /** Bypasses the services. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = openDatabase({ url: this.server.url, connections: 2 });
    try {
      return await work(database);
    } finally {
      await database.$pool.end();
    }
  }

  /** Includes services that are down: clients cannot know. */
  readonly urls = (): readonly string[] => this.#services.map(({ url }) => url);

  get processes(): readonly ApiProcess[] {
    return this.#services;
  }

  /** `kill -9`, then a restart as by a supervisor. */
  async killService(index: number): Promise<void> {
    await this.#services[index]?.kill();
    this.#services[index] = await this.#startService();
  }

  /** A clean restart with a shifted clock. */
  async restartService(index: number, { skewSeconds = 0 }: { readonly skewSeconds?: number } = {}): Promise<void> {
    await this.#services[index]?.stop();
    const service = await this.#startService(skewSeconds);
    this.#services[index] = service;
    const { headers } = await fetch(`${service.url}/healthz`);
    expect(Date.parse(headers.get('date') ?? ''), 'its clock').to.be.closeTo(Date.now() + skewSeconds * 1000, 10_000);
  }

  /** Adds a synchronous standby, kills the primary and promotes the standby. */
  async failOver(): Promise<void> {
    this.#serversMade += 1;
    const standby = await this.server.standby(join(this.disk, `server-${this.#serversMade}`));
    await this.server.kill();
    await standby.promote();
    this.link.leadTo(standby.url);
    rmSync(join(this.disk, `server-${this.#serversMade - 1}`), { recursive: true });
    this.server = standby;
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.kill()));
    await this.link.close();
    await this.mails.close();
    await this.server.stop();
    this.#home.remove();
    execFileSync('umount', [this.disk]);
    rmSync(this.disk, { recursive: true });
  }

  #startService(skewSeconds = 0): Promise<ApiProcess> {
    const skewed = {
      LD_PRELOAD: faketime,
      FAKETIME: `${skewSeconds > 0 ? '+' : ''}${skewSeconds}`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    return startApi(this.#home, {
      DATABASE_URL: this.link.url,
      SMTP_URL: this.mails.url,
      LOG_LEVEL: 'warn',
      ...(skewSeconds === 0 ? {} : skewed),
    });
  }

  #invite(count: number): Promise<void> {
    return this.withDatabase(async (database) => {
      const [url = ''] = this.urls();
      const options = { services: this.urls, counter: this.counter };
      const invited = Array.from({ length: count }, async () => {
        const user = await aVerifiedUser({ url, database });
        return new Writer(user, { ...options, zone: await aZone(user) });
      });
      this.writers = await Promise.all(invited);
    });
  }
}

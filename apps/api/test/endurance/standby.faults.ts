import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, HotStandby, openDatabase } from '@zonewright/postgres';
import { standbyFault } from '@zonewright/postgres-operations';
import { expect } from 'chai';
import getPort from 'get-port';
import { pino } from 'pino';
import { type RunningService, startService } from '../../src/service.ts';
import { until } from '../faults/support/until.ts';
import { aRule, aVerifiedUser, aZone, rulesOf, type User, unique, type ZoneBody } from '../support/arrange.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { freshKeys, testConfig } from '../support/service.ts';
import { openTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { revisionsOf } from '../support/zone-contents.ts';
import { type CountingLink, openCountingLink } from './counting-link.ts';
import { PostgresServer } from './postgres-server.ts';

const outcomes = ['answered', 'behind', 'failed', 'skipped'] as const;
type Outcomes = Record<(typeof outcomes)[number], number>;

/**
 * Run by `pnpm test standby`, as root on Debian with `postgresql`: one instance writes, and another one with a hot
 * standby reads data it has not cached.
 */
describe('An instance with a hot standby', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-standby-'));
  const keys = freshKeys();
  const lines: string[] = [];
  let sent: string[] = [];
  let mails: Mailbox;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let links: { readonly primary: CountingLink; readonly standby: CountingLink };
  let services: RunningService[];
  let database: Database;
  let metricsUrl: string;
  let traces: TraceReceiver;
  let ada: User;
  let reader: Client;

  before(async () => {
    // The servers' user needs access to the folder.
    chmodSync(folder, 0o755);
    mails = await openMailbox();
    const [one, other] = [join(folder, 'primary'), join(folder, 'standby')];
    mkdirSync(one);
    primary = await PostgresServer.create(one);
    await primary.start();
    const config = await testConfig(mails.url);
    const writer = await startService({ config, keys, databaseUrl: primary.url, log: pino({ level: 'silent' }) });
    standby = await primary.follower(other);
    links = { primary: await openCountingLink(primary.url), standby: await openCountingLink(standby.url) };
    const [{ port }, metricsPort] = [await testConfig(mails.url), await getPort({ host: '127.0.0.1' })];
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    traces = await openTraceReceiver();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = traces.url;
    const second = await startService({
      config: { ...config, port, metricsPort, databaseReadUrl: links.standby.url, traces: true },
      keys,
      databaseUrl: links.primary.url,
      log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
      onStatement: ({ name }) => void sent.push(name ?? ''),
    });
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    services = [writer, second];
    database = openDatabase({ url: primary.url, connections: 2 });
    ada = await aVerifiedUser({ url: writer.url, database });
    reader = clientOf(`http://127.0.0.1:${port}`, { authorization: `Bearer ${ada.token}` });
  });
  after(async () => {
    for (const service of services) await service.close();
    await database.$pool.end();
    await Promise.all([links.primary.close(), links.standby.close()]);
    await Promise.all([standby.kill(), primary.kill()]);
    await Promise.all([mails.close(), traces.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const tracedOnStandby = () =>
    traces.spans.filter(({ attributes }) => attributes['zonewright.database.role'] === 'standby');
  const metrics = async (): Promise<string> => (await fetch(metricsUrl)).text();
  async function reads(): Promise<Outcomes> {
    const text = await metrics();
    const counted = outcomes.map((outcome) => [
      outcome,
      Number(new RegExp(`^standby_reads_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0),
    ]);
    // The keys are those of `outcomes`.
    return Object.fromEntries(counted) as Outcomes;
  }
  /** How much the work increased each count. */
  async function during(work: () => Promise<unknown>): Promise<Outcomes> {
    const before = await reads();
    await work();
    const after = await reads();
    return Object.fromEntries(outcomes.map((outcome) => [outcome, after[outcome] - before[outcome]])) as Outcomes;
  }
  const isUp = async (): Promise<boolean> => (await metrics()).includes('standby_up 1\n');
  const hasCaughtUp = (): Promise<boolean> =>
    until(() => {
      const position = primary.ask('SELECT pg_current_wal_lsn()');
      return standby.ask(`SELECT pg_last_wal_replay_lsn() >= '${position}'::pg_lsn`) === 't';
    });

  /** A zone with rules and a history that the reading instance has not cached. */
  async function aNewZone(): Promise<ZoneBody> {
    const zone = await aZone(ada);
    for (let count = 0; count < 3; count += 1) await aRule(ada, zone);
    return zone;
  }
  const pathsOf = (zone: ZoneBody) => [`/api/zones/${zone.id}`, rulesOf(zone), `${revisionsOf(zone)}/3`, '/api/zones'];

  /** Requires that both instances return the same data. */
  async function expectRight(zone: ZoneBody): Promise<void> {
    for (const path of pathsOf(zone)) {
      const [expected, found] = [await ada.get(path), await reader.get(path)];
      expect(found.status, path).to.equal(200);
      expect(found.text, path).to.equal(expected.text);
      expect(found.headers.get('etag'), path).to.equal(expected.headers.get('etag'));
    }
  }

  it('reads from it what the primary has named, and reports where reads went', async () => {
    await until(isUp);
    expect(await standbyFault(primary.url, standby.url)).to.equal(undefined);
    const zones: ZoneBody[] = [];
    for (let count = 0; count < 30; count += 1) zones.push(await aNewZone());
    await hasCaughtUp();
    sent = [];
    const before = { primary: links.primary.bytes(), standby: links.standby.bytes() };
    const counted = await during(async () => {
      for (const zone of zones) for (const path of pathsOf(zone)) expect((await reader.get(path)).status).to.equal(200);
    });
    const statements = sent.filter((name) => /^(?:zones|history|rules|callers)\//.test(name));
    const stats = {
      requests: zones.length * 4,
      statements: { primary: statements.length, standby: counted.answered },
      bytes: {
        primary: links.primary.bytes() - before.primary,
        standby: links.standby.bytes() - before.standby,
      },
    };
    process.stdout.write(`${JSON.stringify(stats, null, 2)}\n`);
    expect(counted).to.include({ behind: 0, failed: 0, skipped: 0 });
    await until(() => tracedOnStandby().length >= counted.answered, { seconds: 15 });
    expect(tracedOnStandby()).to.have.length(counted.answered);
    expect(statements.filter((name) => /^zones\/(?:read|whole)|^history\/trail\./.test(name))).to.deep.equal([]);
    for (const zone of zones) await expectRight(zone);
  });

  it('returns recent writes, however far the standby lags', async () => {
    const old = await aNewZone();
    await hasCaughtUp();
    standby.ask('SELECT pg_wal_replay_pause()');
    const counted = await during(async () => {
      await expectRight(await aNewZone());
      const rename = { name: `renamed-${unique()}` };
      expect((await ada.patch(`/api/zones/${old.id}`, rename)).status).to.equal(200);
      expect((await reader.get(`/api/zones/${old.id}`)).json()).to.include(rename);
      await expectRight(old);
    });
    expect(counted.behind).to.be.above(0);
    standby.ask('SELECT pg_wal_replay_resume()');
    await hasCaughtUp();
    await expectRight(await aNewZone());
  });

  it('never returns anything older than the last acknowledged write while the standby catches up', async () => {
    const zone = await aNewZone();
    const counted = await during(async () => {
      for (let count = 0; count < 300; count += 1) {
        const rename = { name: `renamed-${unique()}` };
        expect((await ada.patch(`/api/zones/${zone.id}`, rename)).status).to.equal(200);
        expect((await reader.get(`/api/zones/${zone.id}`)).json()).to.include(rename);
      }
    });
    process.stdout.write(`${JSON.stringify(counted)}\n`);
    expect(counted.answered + counted.behind).to.equal(300);
  });

  /** The lag reported by the reading instance. */
  const lag = async () => {
    const text = await metrics();
    const valueOf = (name: string): number =>
      Number(new RegExp(`^standby_lag_${name} ([\\d.]+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    return { bytes: valueOf('bytes'), seconds: valueOf('seconds') };
  };
  const lacksNothing = (): Promise<boolean> =>
    until(async () => {
      const { bytes, seconds } = await lag();
      return bytes === 0 && seconds === 0;
    });

  it('reports its lag, as an unprivileged role, and 0 when it has caught up', async () => {
    await until(isUp);
    await hasCaughtUp();
    await lacksNothing();
    primary.ask('CREATE ROLE plain LOGIN');
    primary.ask('GRANT SELECT ON audit_log TO plain');
    await hasCaughtUp();
    standby.ask('SELECT pg_wal_replay_pause()');
    const pausedAt = performance.now();
    await aNewZone();
    await until(async () => (await lag()).seconds > 1);
    const [lagging, paused] = [await lag(), (performance.now() - pausedAt) / 1000];
    const asPlain = async () => {
      const urls = [primary.url, standby.url].map((url) => url.replace('zonewright@', 'plain@'));
      const [from = '', to = ''] = urls;
      const plain = openDatabase({ url: from, connections: 1 });
      const follower = new HotStandby({
        url: to,
        primary: plain,
        connections: 1,
        detectPooler: async () => undefined,
        onDown: () => undefined,
        onUp: () => undefined,
      });
      await until(() => follower.stats.isUp);
      const measured = await follower.lag(plain);
      await Promise.all([follower.close(), plain.$pool.end()]);
      return measured;
    };
    process.stdout.write(`${JSON.stringify({ paused, ...lagging })}\n`);
    expect(lagging.bytes).to.be.above(1000);
    // The last commit before the pause is slightly older.
    expect(lagging.seconds).to.be.within(1, paused + 2);
    expect((await asPlain())?.bytes).to.be.at.least(lagging.bytes);
    standby.ask('SELECT pg_wal_replay_resume()');
    await lacksNothing();
  });

  const faults: readonly (readonly [what: string, happen: () => unknown, end: () => unknown])[] = [
    ['is killed', () => standby.kill(), () => standby.start()],
    ['hangs', () => standby.freeze(), () => standby.thaw()],
  ];
  for (const [what, happen, end] of faults) {
    it(`reads from the primary while the standby ${what}, logs it once, and returns to the standby`, async () => {
      await until(isUp);
      const down = () => lines.filter((line) => line.includes('standby unavailable')).length;
      const before = down();
      await happen();
      const startedAt = performance.now();
      await expectRight(await aNewZone());
      const first = Math.round(performance.now() - startedAt);
      await until(async () => !(await isUp()));
      expect(await lag()).to.deep.equal({ bytes: Number.NaN, seconds: Number.NaN });
      const slowest = { milliseconds: 0 };
      const counted = await during(async () => {
        for (let count = 0; count < 10; count += 1) {
          const zone = await aNewZone();
          const at = performance.now();
          expect((await reader.get(`/api/zones/${zone.id}`)).status).to.equal(200);
          slowest.milliseconds = Math.max(slowest.milliseconds, Math.round(performance.now() - at));
          await expectRight(zone);
        }
      });
      process.stdout.write(`${JSON.stringify({ first, slowest: slowest.milliseconds, ...counted })}\n`);
      expect(counted).to.include({ answered: 0, behind: 0 });
      expect(down() - before).to.equal(1);
      await end();
      await until(isUp, { seconds: 30 });
      expect(lines.filter((line) => line.includes('standby available again')).length).to.be.above(0);
      const zone = await aNewZone();
      await hasCaughtUp();
      expect((await during(() => expectRight(zone))).answered).to.be.above(0);
    });
  }
});

import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { until } from '../faults/support/until.ts';
import { anOriginServer, aVerifiedUser, aZone, originServersOf, type User, unique } from '../support/arrange.ts';
import { freshDatabase } from '../support/database.ts';
import { aStoredEdge } from '../support/edges.ts';
import { entryPoint } from '../support/entry-point.ts';
import { type FeedFollower, followFeed } from './feed-follower.ts';
import { shippedSize } from './shipped-size.ts';

const zones = 480;
const editMilliseconds = 1500;
const changes = Number(process.env['ABUSE_CHANGES'] ?? 24);

/**
 * Run by `pnpm test abuse`: one organization's editor changes an origin server that all of its zones use, again and again.
 * The changes of others reach the edges as if nothing were going on.
 */
describe(`A change of an origin server of ${zones} zones every ${editMilliseconds} ms`, function () {
  this.timeout(600_000);
  let home: Home;
  let database: Database;
  let api: ApiProcess;
  let editor: User;
  let server: string;
  let other: User;
  let zone: string;
  const followers: FeedFollower[] = [];

  before(async () => {
    home = makeHome();
    const fresh = await freshDatabase();
    database = fresh.database;
    const size = [`--max-old-space-size=${shippedSize.heap}`, ...entryPoint];
    api = await startApi(
      home,
      { DATABASE_URL: fresh.url, LOG_LEVEL: 'warn', WORKERS: '1', HOSTNAME_VERIFICATION: 'off' },
      size,
    );
    const place = { url: api.url, database };
    editor = await aVerifiedUser(place);
    other = await aVerifiedUser(place);
    ({ id: server } = await anOriginServer(editor));
    const settings = { defaultBackend: { type: 'origin_server', id: server } };
    for (let made = 0; made < zones; made += 1)
      await aZone(editor, { hostnames: [`h${unique()}.example.com`], zone_settings: settings });
    ({ id: zone } = await aZone(other, { hostnames: [`h${unique()}.example.com`] }));
    for (const organizations of [[], [other.organization]])
      followers.push(await followFeed(api.url, (await aStoredEdge(database, organizations)).key));
    await until(() => followers.every((each) => each.revisionOf(zone) !== undefined), { seconds: 60 });
  });
  after(async () => {
    for (const follower of followers) await follower.close();
    await api?.stop();
    await database?.$pool.end();
    home?.remove();
  });

  /** Milliseconds from the answer to a change until all edges serve it. */
  async function spread(): Promise<number> {
    const reply = await other.patch(`/api/zones/${zone}`, { name: `renamed ${unique()}` });
    const answered = performance.now();
    expect(reply.status).to.equal(200);
    const { revision } = (await other.get(`/api/zones/${zone}/delivery`)).json() as { revision: number };
    await until(() => followers.every((each) => (each.revisionOf(zone) ?? 0) >= revision), { seconds: 60 });
    return Math.max(...followers.map((each) => each.servedAt(zone) - answered));
  }

  it('delays the changes of others by less than a second, and no edge is refused', async () => {
    const editing = { isOver: false, edits: 0 };
    const edit = async () => {
      while (!editing.isOver) {
        const next = pause(editMilliseconds);
        const body = { address: `host-${unique()}.example.net` };
        expect((await editor.patch(`${originServersOf(editor)}/${server}`, body)).status).to.equal(200);
        editing.edits += 1;
        await next;
      }
    };
    const edits = edit();
    const times: number[] = [];
    while (times.length < changes) {
      times.push(await spread());
      await pause(Math.random() * 500);
    }
    editing.isOver = true;
    await edits;
    const sorted = times.toSorted((one, another) => one - another);
    const quantile = (part: number) => Math.round(sorted[Math.ceil(part * sorted.length) - 1] ?? 0);
    const problems = followers.flatMap((each) => each.problems);
    process.stdout.write(
      `      ${changes} changes beside ${editing.edits} edits: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, ` +
        `${problems.length} refusals\n`,
    );
    expect(problems).to.deep.equal([]);
    expect(quantile(0.99)).to.be.at.most(1000);
  });
});

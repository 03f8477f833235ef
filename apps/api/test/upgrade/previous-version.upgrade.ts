import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import { openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { type ApiProcess, makeHome, startApi } from '../faults/support/api-process.ts';
import { clientOf } from '../support/client.ts';
import { checkOut, hasMigrations, previousVersion, type Tally, type Visit, writeHereReadThere } from './upgrade.ts';

/** Pairs of rounds in each phase. */
const rounds = 20;

/** What `zonewright seed` created. */
interface Seeded {
  readonly email: string;
  readonly password: string;
  readonly organizations: readonly number[];
}

describe('The previous version', () => {
  const undo: (() => unknown)[] = [];
  after(async function () {
    // A checkout with its dependencies has thousands of files.
    this.timeout(60_000);
    for (const each of undo.toReversed()) await each();
  });

  it('serves the schema of the new version next to it, and starts on it', async () => {
    const revision = previousVersion();
    const previous = checkOut(revision);
    undo.push(previous.remove);
    const server = await startTemporaryPostgres();
    const home = makeHome();
    undo.push(
      () => home.remove(),
      () => server.stop(),
    );
    const variables = { DATABASE_URL: server.url, WORKERS: '1' };
    const program = (file: string) => [join(previous.folder, 'apps/api/dist', file)];
    const database = openDatabase({ url: server.url, connections: 1 });
    const migrations = () =>
      database.map('SELECT name FROM schema_migrations ORDER BY name', [], ({ name }) => String(name));

    let old = await startApi(home, variables, program('main.js'));
    undo.push(
      () => database.$pool.end(),
      () => old.stop(),
    );
    const before = await migrations();
    const env = { ...home.environment, ...variables };
    const seeded = execFileSync(process.execPath, [...program('zonewright.mjs'), 'seed', '--zones', '5', '--json'], {
      env,
      encoding: 'utf8',
    });
    const { email, password, organizations } = JSON.parse(seeded) as Seeded;
    const { token } = (await clientOf(old.url).post('/api/auth/login', { email, password })).json() as {
      readonly token: string;
    };
    const seen: Record<'old' | 'new', Tally> = { old: {}, new: {} };
    const visit = ({ url }: ApiProcess, tally: Tally): Visit => ({
      at: clientOf(url, { authorization: `Bearer ${token}` }),
      organization: organizations[0],
      seen: tally,
    });
    const atOld = () => visit(old, seen.old);

    // A previous version may reject a file with the rings of the new one.
    const keysFile = join(home.environment['DATA_DIR'] ?? '', 'new-keys.json');
    copyFileSync(join(home.environment['DATA_DIR'] ?? '', 'keys.json'), keysFile);
    // The old instance keeps getting requests while the new one starts and migrates.
    const progress = { isServing: false };
    const starting = startApi(home, { ...variables, KEYS_FILE: keysFile }).finally(() => {
      progress.isServing = true;
    });
    for (let round = 0; !progress.isServing || round < rounds; round += 1) {
      await writeHereReadThere(atOld(), atOld(), `alone-${round}`);
    }
    const young = await starting;
    undo.push(() => young.stop());
    const later = await migrations();
    const atNew = () => visit(young, seen.new);
    const sideBySide = async (phase: string) => {
      for (let round = 0; round < rounds; round += 1) {
        await writeHereReadThere(atOld(), atNew(), `${phase}-old-${round}`);
        await writeHereReadThere(atNew(), atOld(), `${phase}-new-${round}`);
      }
    };
    await sideBySide('beside');
    await old.stop();
    old = await startApi(home, variables, program('main.js'));
    await sideBySide('again');

    process.stdout.write(
      `${JSON.stringify({ revision, new: later.filter((name) => !before.includes(name)), seen }, null, 2)}\n`,
    );
    expect(later).to.include.members(before);
    expect(later.length > before.length).to.equal(hasMigrations);
  }).timeout(900_000);
});

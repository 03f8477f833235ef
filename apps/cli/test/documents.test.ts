import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { migratedDatabase } from './database.ts';
import { shell } from './support.ts';

describe('Commands for importing and exporting', function () {
  this.timeout(60_000);
  const { env, run, json } = shell(migratedDatabase);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-files-'));
  const file = (name: string) => join(folder, name);
  interface Demo {
    readonly email: string;
    readonly organizations: readonly number[];
  }
  let demo: Demo;
  let other: Demo;
  before(async () => {
    demo = (await json('seed --zones 6')) as Demo;
    other = (await json('seed --zones 1')) as Demo;
  });
  after(() => rmSync(folder, { recursive: true }));
  const zonesIn = async ({ organizations: [id] }: Demo) =>
    ((await json('organizations list')) as { id: number; zones: number }[]).find((each) => each.id === id)?.zones;

  it('creates a demonstration with the requested number of zones', async () => {
    expect(await zonesIn(demo)).to.equal(6);
    const shown = await run('seed --zones 2', { answers: '' });
    expect(shown.err).to.match(
      /^Sign in as demo-\w+@example\.com with Demo-\S+\n\rzones \[\.{30}\] 0\/2.*\rzones \[#{30}\] 2\/2\n$/s,
    );
    expect(shown.out).to.equal('Created 2 zones in 1 organization.\n');
  });

  it('asks before it creates a demonstration in production', async () => {
    Object.assign(env, { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://config.example.com' });
    Object.assign(env, { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'config@example.com' });
    const asked = await run('seed --zones 1');
    for (const name of ['NODE_ENV', 'SMTP_URL', 'MAIL_FROM']) env[name] = '';
    expect(asked).to.deep.include({ code: 2, out: '' });
    expect(asked.err).to.equal('Create a demonstration user with 1 zone in production? Confirm with --yes.\n');
  });

  it('moves zones from one organization to another, all or nothing', async () => {
    const exported = await run(`export organization ${demo.organizations[0]} --output ${file('zones.json')}`);
    expect(exported.out).to.match(/^Wrote .*zones\.json\. It contains no passwords or ban tokens\.\n$/);
    const document = JSON.parse(readFileSync(file('zones.json'), 'utf8')) as { zones: object[] };
    expect((await run(`export organization ${demo.organizations[0]}`)).out).to.equal(
      readFileSync(file('zones.json'), 'utf8'),
    );
    const into = `--organization ${other.organizations[0]} --as ${other.email}`;
    const rehearsed = await run(`import ${file('zones.json')} ${into} --reuse-backends --update --dry-run`);
    expect(rehearsed.out).to.match(
      /^Nothing was changed\. The import would do this:\nwhat +name +tag +outcome\norigin server +Web +reused\n/,
    );
    expect(rehearsed.out).to.match(/^zone +shop-2\.example\.com +dev +created$/m);
    expect(await zonesIn(other)).to.equal(1);
    const taken = await run(`import ${file('zones.json')} ${into}`);
    expect(taken.err).to.match(/^originServers\.[0-9a-f-]{36}\.name: /);
    const renamed = JSON.stringify(document).replaceAll(/"(Web|web\.example|shop-)/g, '"x$1');
    writeFileSync(file('renamed.json'), renamed);
    const { zones, ...backends } = JSON.parse(renamed) as typeof document;
    const clash = { ...backends, zones: [zones[1], zones[1]] };
    writeFileSync(file('clash.json'), JSON.stringify(clash));
    const refused = await run(`import ${file('clash.json')} ${into}`);
    expect(refused).to.deep.include({ code: 1 });
    expect(refused.err).to.match(/^zones\[1\]\.name: /);
    expect(await zonesIn(other), 'after a refusal').to.equal(1);
    const imported = (await run(`import ${file('renamed.json')} ${into}`)).out.split('\n');
    expect(imported[0]).to.equal('Imported 6 zones, 1 origin server and 0 load balancers.');
    expect(imported).to.include('zone           xshop-3.example.com  prod   created');
    expect(await zonesIn(other)).to.equal(7);
    const foreign = await run(
      `import ${file('renamed.json')} --organization ${other.organizations[0]} --as ${demo.email}`,
    );
    expect(foreign).to.include({
      code: 1,
      err: 'The user named by --as does not have permission to do this in the organization.\n',
    });
  });

  it('imports a single zone, and rejects invalid documents', async () => {
    const { zones } = JSON.parse((await run(`export organization ${demo.organizations[0]}`)).out) as {
      zones: object[];
    };
    expect(zones).to.have.length(6);
    expect((await run('export zone nothing')).code).to.equal(2);
    expect((await run('export zone 00000000-0000-7000-8000-000000000000')).err).to.equal('There is no such zone.\n');
    writeFileSync(
      file('none.json'),
      JSON.stringify({ ...JSON.parse((await run(`export organization ${demo.organizations[0]}`)).out), zones: [] }),
    );
    expect(await run(`import ${file('none.json')} --organization 99 --as ${demo.email}`)).to.include({
      code: 1,
      err: 'There is no such organization.\n',
    });
    writeFileSync(file('text'), 'text');
    for (const wrong of ['text', 'missing']) {
      expect((await run(`import ${file(wrong)} --organization 1 --as ${demo.email}`)).code, wrong).to.equal(1);
    }
  });

  it('reports missing PostgreSQL programs', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    const { code, err } = await run(`backup ${file('dump')}`);
    process.env['PATH'] = path;
    expect(code).to.equal(1);
    expect(err).to.match(/^pg_dump cannot be run \(ENOENT\)\. Install the client programs of PostgreSQL/);
    expect((await run(`restore ${file('dump')} --yes`)).err).to.match(/^The manifest of the backup cannot be read/);
    expect(env['DATABASE_URL']).to.be.a('string');
  });

  it('removes demonstrations with their organizations, but not what others have joined', async () => {
    const before = (await json('organizations list')) as { name: string }[];
    const removed = await json('seed --remove --yes');
    expect(removed).to.include({ users: 3, organizations: 6 });
    expect(before.filter(({ name }) => name.startsWith('Demo'))).to.have.lengthOf(6);
    expect(await json('organizations list')).to.have.lengthOf(before.length - 6);
    expect(await json('users search demo-')).to.deep.equal([]);
    expect(await json('seed --remove')).to.deep.equal({ users: 0, organizations: 0, zones: 0 });
  });
});

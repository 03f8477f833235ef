import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listOf, when } from './support/documents.ts';
import { mmdb } from './support/mmdb.ts';
import { applied, rejecting, stage } from './support/stage.ts';

describe('an edge that starts again', () => {
  const { service, place, start, stop } = stage();
  const state = () => place().path;
  const documentsIn = () => readdirSync(join(state(), 'documents')).map((name) => join(state(), 'documents', name));
  const table = () => join(state(), 'zones.json');

  it('keeps no documents but those in use', async () => {
    service().put({ id: 'a' });
    service().put({ id: 'b' });
    await start();
    await service().reported(applied(2));
    service().put({ id: 'a', revision: 2 });
    service().remove('b');
    await service().reported(applied(1));
    expect(documentsIn()).to.have.length(1);
  });

  it('reports at once, although nothing is new', async () => {
    service().put({ id: 'a' });
    const first = await start();
    await service().reported(applied(1));
    await stop(first);
    await start({}, { report: 600_000 });
    await service().reported(applied(1));
  });

  it('fetches a document again that was lost or damaged, and serves all others meanwhile', async () => {
    for (const id of ['a', 'b', 'c']) service().put({ id });
    const first = await start();
    await service().reported(applied(3));
    await stop(first);
    const fileOf = (id: string) =>
      documentsIn().find((path) => readFileSync(path, 'utf8').includes(`"id":"${id}"`)) ?? '';
    rmSync(fileOf('a'));
    writeFileSync(fileOf('b'), 'damaged');
    service().faults.all = () => 503;
    const { ask } = await start();
    expect([
      (await ask('a.example')).status,
      (await ask('b.example')).status,
      (await ask('c.example')).status,
    ]).to.deep.equal([421, 421, 200]);
    delete service().faults.all;
    await service().reported(applied(3));
    expect([(await ask('a.example')).status, (await ask('b.example')).status]).to.deep.equal([200, 200]);
  });

  it('notices at a request that a document was lost, and fetches it again', async () => {
    service().put({ id: 'a' });
    const edge = await start({}, { waitSeconds: 0 });
    await service().reported(applied(1));
    for (const path of documentsIn()) rmSync(path);
    expect((await edge.ask('a.example')).status).to.equal(421);
    await service().until(() => (documentsIn().length === 1 ? true : undefined));
    await service().reported(rejecting());
    expect((await edge.ask('a.example')).status).to.equal(200);
  });

  it('reads the whole state again where the table is damaged', async () => {
    service().put({ id: 'a' });
    const first = await start();
    await service().reported(applied(1));
    await stop(first);
    writeFileSync(table(), 'damaged');
    const { ask } = await start();
    await service().reported(({ position, zones }) => position === service().position && zones.applied === 1);
    expect((await ask('a.example')).status).to.equal(200);
  });

  it('checks documents again that another version of the program accepted', async () => {
    service().put({ id: 'a' });
    const check = { request: { url: 'https://a.example/' }, sha256: '0'.repeat(64) };
    const first = await start();
    await service().reported(applied(1));
    const { digest } = service().put({ id: 'b', checks: [check] });
    await service().reported(rejecting('b document.check'));
    await stop(first);
    const stored = JSON.parse(readFileSync(table(), 'utf8'));
    const bytes = service().documentOf(digest);
    writeFileSync(join(state(), 'documents', `${digest.slice(7)}.json`), bytes);
    const zones = [...stored.zones, { id: 'b', digest, hostnames: ['b.example'], needs: [] }];
    writeFileSync(table(), JSON.stringify({ ...stored, program: '0.9.0', zones, rejected: [] }));
    await start();
    await service().reported(rejecting('b document.check'));
  });

  it('serves no zone whose rules read a database that it has no more, and serves it again with one', async () => {
    const conditions = when('country', 'equals', 'DE');
    service().put({ id: 'a', document: { accessRules: listOf([{ action: 'block', conditions }]) } });
    const file = join(state(), 'country.mmdb');
    writeFileSync(file, mmdb({ '192.0.2.0/24': { country: { iso_code: 'DE' } } }));
    const countries = { COUNTRY_DB: file };
    const first = await start(countries);
    await service().reported(applied(1));
    await stop(first);
    const second = await start();
    await service().reported(rejecting('a capability.country'));
    expect((await second.ask('a.example')).status).to.equal(421);
    await stop(second);
    const { ask } = await start(countries);
    await service().reported(rejecting());
    expect((await ask('a.example')).status).to.equal(200);
  });
});

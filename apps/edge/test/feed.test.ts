import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Pauses, usualTiming } from '../src/feed/timing.ts';
import { version } from '../src/version.ts';
import { documentOf, listOf, made, when } from './support/documents.ts';
import { aStatePlace, startTestEdge, type TestEdge } from './support/running-edge.ts';
import { applied, rejecting, stage } from './support/stage.ts';

describe('an edge and the service', () => {
  const { service, start } = stage();

  it('serves the zones of the feed and reports it', async () => {
    service().put({ id: 'a', revision: 7 });
    const { ask } = await start();
    const report = await service().reported(({ zones }) => zones.applied === 1);
    expect(await ask('a.example')).to.deep.equal({ status: 200, revision: '7' });
    const { startedAt, stateId, ...others } = report;
    expect(stateId).to.match(/^[0-9a-f-]{36}$/);
    expect(Number.isNaN(Date.parse(startedAt))).to.equal(false);
    expect(others).to.deep.equal({
      version,
      semantics: 2,
      position: service().position,
      zones: { applied: 1, rejected: [] },
      purged: 0,
      proxy: { kind: 'none', version: '' },
      unsupportedSettings: ['processingEsi', 'processingSsi'],
    });
  });

  it('follows changes and removals', async () => {
    service().put({ id: 'a' });
    const { ask } = await start();
    await service().reported(({ zones }) => zones.applied === 1);
    service().put({ id: 'a', revision: 2 });
    service().put({ id: 'b' });
    await service().reported(({ position }) => position === service().position);
    expect([await ask('a.example'), (await ask('b.example')).status]).to.deep.equal([
      { status: 200, revision: '2' },
      200,
    ]);
    service().remove('a');
    await service().reported(({ zones }) => zones.applied === 1);
    expect((await ask('a.example')).status).to.equal(421);
  });
});

describe('a document that an edge cannot use', () => {
  const { service, start } = stage();
  const good = documentOf({ id: 'a', revision: 2 });
  const text = good.bytes.toString();
  const rules = (rule: object) => ({ accessRules: listOf([{ action: 'block', ...rule }]) });
  const check = { request: { url: 'https://a.example/' }, sha256: '0'.repeat(64) };
  const cases = {
    'that is not JSON': ['document.format', made('{')],
    'of a newer format': ['document.format', documentOf({ id: 'a', more: { format: 2, zone: 'written otherwise' } })],
    'without a member': ['document.format', made(text.replace('"hostnames"', '"names"'))],
    'of another zone': ['document.format', documentOf({ id: 'b' })],
    'with a newer meaning': ['document.semantics', documentOf({ id: 'a', more: { semantics: 3 } })],
    'with an older meaning': ['document.semantics', documentOf({ id: 'a', more: { semantics: 1 } })],
    'to which this engine gives another answer': ['document.check', documentOf({ id: 'a', checks: [check] })],
    'with conditions of a newer engine': [
      'document.compile',
      documentOf({ id: 'a', document: rules({ conditions: when('weather', 'equals', 'rain') }) }),
    ],
    'with rules that read countries': [
      'capability.country',
      documentOf({ id: 'a', document: rules({ conditions: when('country', 'equals', 'DE') }) }),
    ],
    'with rules that read autonomous systems': [
      'capability.asn',
      documentOf({ id: 'a', document: rules({ conditions: when('asn', 'equals', '64500') }) }),
    ],
  } as const;

  for (const [what, [code, document]] of Object.entries(cases)) {
    it(`${what} is reported as ${code}, and leaves the last good one in place`, async () => {
      service().put({ id: 'a' });
      const { ask } = await start();
      await service().reported(applied(1));
      service().putMade({ id: 'a', revision: 2 }, document);
      service().put({ id: 'c' });
      const report = await service().reported(rejecting(`a ${code}`));
      expect(report.zones.rejected[0]?.digest).to.equal(document.digest);
      await service().reported(applied(2));
      expect(await ask('a.example')).to.deep.equal({ status: 200, revision: '1' });
      service().put({ id: 'a', revision: 3 });
      await service().reported(rejecting());
      expect(await ask('a.example')).to.deep.equal({ status: 200, revision: '3' });
    });
  }

  it('that arrives damaged is reported as document.digest and fetched again', async () => {
    service().put({ id: 'a' });
    service().faults.document = (_, bytes) => Buffer.concat([bytes, Buffer.from(' ')]);
    const { ask } = await start();
    await service().reported(rejecting('a document.digest'));
    delete service().faults.document;
    await service().reported(rejecting());
    expect((await ask('a.example')).status).to.equal(200);
  });

  for (const status of [404, 500]) {
    it(`that the service answers with ${status} is reported as document.fetch and fetched again`, async () => {
      service().put({ id: 'a' });
      service().put({ id: 'b' });
      const { digest } = documentOf({ id: 'a' });
      service().faults.document = (asked, bytes) => (asked === digest ? status : bytes);
      const { ask } = await start();
      await service().reported(rejecting('a document.fetch'));
      expect([(await ask('a.example')).status, (await ask('b.example')).status]).to.deep.equal([421, 200]);
      delete service().faults.document;
      await service().reported(rejecting());
      expect((await ask('a.example')).status).to.equal(200);
    });
  }

  it('that the service gives back the old one for is rejected no more', async () => {
    service().put({ id: 'a' });
    await start();
    await service().reported(applied(1));
    service().put({ id: 'a', more: { semantics: 3 } });
    await service().reported(rejecting('a document.semantics'));
    service().put({ id: 'a' });
    await service().reported(rejecting());
  });

  it('that is cut off is not passed over', async () => {
    for (const id of ['a', 'b', 'c']) service().put({ id });
    let cuts = 3;
    service().faults.document = (_, bytes) => {
      cuts -= 1;
      return cuts >= 0 ? 'cut' : bytes;
    };
    await start();
    const report = await service().reported(applied(3));
    expect(report).to.deep.include({ position: service().position, zones: { applied: 3, rejected: [] } });
  });
});

describe('a service that breaks', () => {
  const { service, place, start, stop } = stage();
  const errors = ({ lines }: TestEdge) => lines.filter(({ level }) => level === 50).map(({ msg }) => msg);

  it('changes nothing while it is away, and is followed again', async () => {
    service().put({ id: 'a' });
    const { ask } = await start();
    await service().reported(applied(1));
    const port = Number(new URL(service().url).port);
    await service().close();
    service().put({ id: 'a', revision: 2 });
    expect(await ask('a.example')).to.deep.equal({ status: 200, revision: '1' });
    await service().open(port);
    await service().reported(({ position }) => position === service().position);
    expect(await ask('a.example')).to.deep.equal({ status: 200, revision: '2' });
  });

  it('may be away at a start: the edge serves what it has', async () => {
    service().put({ id: 'a', revision: 4 });
    const first = await start();
    await service().reported(applied(1));
    await stop(first);
    service().faults.all = () => 'silence';
    const { ask, private: ask2 } = await start();
    expect(await ask('a.example')).to.deep.equal({ status: 200, revision: '4' });
    expect((await ask2('/readyz')).status).to.equal(200);
  });

  it('may be away at the first start: the edge is not ready until it comes', async () => {
    service().put({ id: 'a' });
    service().faults.all = () => 503;
    const { private: ask } = await start({ EDGE_TOKEN: service().addToken() });
    expect([(await ask('/healthz')).status, (await ask('/readyz')).status]).to.deep.equal([200, 503]);
    delete service().faults.all;
    await service().reported(applied(1));
    expect((await ask('/readyz')).status).to.equal(200);
  });

  it('may accept calls and stay silent', async () => {
    service().put({ id: 'a' });
    const edge = await start({}, { answerTimeout: 50, waitSeconds: 0 });
    await service().reported(applied(1));
    service().faults.all = () => 'silence';
    const asked = service().requests.length;
    await service().until(() => service().requests.length > asked + 3 || undefined);
    expect((await edge.ask('a.example')).status).to.equal(200);
    expect(errors(edge)).to.include('the service cannot be reached (no answer in time); zones are served as they were');
  });

  it('is asked again after a second, doubling to 30, each shortened at random', () => {
    const pauses = (random: number) => {
      const all = new Pauses(usualTiming);
      return Array.from({ length: 7 }, () => all.next(random));
    };
    expect(pauses(1)).to.deep.equal([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(pauses(0)).to.deep.equal([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  });

  it('may be away for long: asking again and again leaves nothing behind', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    service().faults.all = () => 503;
    await start({}, { firstPause: 1, longestPause: 1 });
    await service().until(() => service().requests.length > 15 || undefined);
    process.off('warning', note);
    expect(warnings).to.not.include('MaxListenersExceededWarning');
  });

  it('is followed again when there is room on the disk, and zones are served until then', async () => {
    service().put({ id: 'a' });
    const edge = await start();
    await service().reported(applied(1));
    await edge.ask('a.example');
    // Nothing can be written where a folder is expected, as on a full disk.
    const folder = join(place().path, 'documents');
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, '');
    service().put({ id: 'b' });
    await service().until(() => errors(edge).some((line) => line.includes('cannot be kept')) || undefined);
    expect([(await edge.ask('a.example')).status, (await edge.ask('b.example')).status]).to.deep.equal([200, 421]);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    await service().reported(applied(2));
    expect((await edge.ask('b.example')).status).to.equal(200);
  });

  it('that refuses the key is told about again and again, and zones are served', async () => {
    service().put({ id: 'a' });
    const edge = await start({}, { reminder: 20 });
    await service().reported(applied(1));
    const [key = ''] = service().keys.keys();
    service().keys.clear();
    service().put({ id: 'b' });
    const line = 'the service refuses the key of this edge: was it removed?; zones are served as they were';
    await service().until(() => errors(edge).filter((each) => each === line).length > 4 || undefined);
    expect([(await edge.ask('a.example')).status, (await edge.ask('b.example')).status]).to.deep.equal([200, 421]);
    service().keys.set(key, 'edge-1');
    await service().reported(applied(2));
  });

  it('refuses a second edge with the key of one that reports', async () => {
    service().claimSeconds = 60;
    service().put({ id: 'a' });
    await start();
    await service().reported(applied(1));
    const [{ startedAt } = { startedAt: '' }] = service().reports;
    const elsewhere = aStatePlace();
    const second = await startTestEdge(service(), elsewhere);
    const line =
      'another process reports with the key of this edge: each edge needs its own; zones are served as they were';
    await service().until(() => errors(second).includes(line) || undefined);
    await second.close();
    elsewhere.clean();
    expect(service().reports.every((report) => report.startedAt === startedAt)).to.equal(true);
  });

  it('takes reports of the next process at once, without a line about another one', async () => {
    service().claimSeconds = 60;
    service().put({ id: 'a' });
    await stop(await start());
    const before = service().reports.length;
    const edge = await start();
    await service().until(() => service().reports.length > before || undefined);
    expect(errors(edge)).to.deep.equal([]);
  });

  it('is said to be there again, once, as soon as it answers and not when its held answer comes', async () => {
    service().put({ id: 'a' });
    const edge = await start({}, { waitSeconds: 55 });
    await service().reported(applied(1));
    service().faults.all = () => 503;
    service().put({ id: 'b' });
    await service().until(() => errors(edge).length > 0 || undefined);
    delete service().faults.all;
    await service().reported(applied(2));
    const again = () => edge.lines.filter(({ msg }) => msg === 'the service is followed again').length;
    await service().until(() => again() > 0 || undefined);
    const reports = service().reports.length;
    service().put({ id: 'c' });
    await service().until(() => service().reports.length > reports || undefined);
    expect([again(), new Set(errors(edge)).size]).to.deep.equal([1, 1]);
  });

  it('may answer what this version does not understand', async () => {
    service().put({ id: 'a' });
    const edge = await start();
    await service().reported(applied(1));
    service().faults.changes = () => ({ position: 7 });
    service().put({ id: 'b' });
    await service().until(() => errors(edge).some((line) => line.includes('does not understand')) || undefined);
    delete service().faults.changes;
    await service().reported(applied(2));
  });

  it('that answers at once although nothing is new is not asked all the time', async () => {
    service().faults.changes = (answer) => ({ ...answer, zones: [] });
    await start({}, { firstPause: 200, waitSeconds: 0 });
    await service().until(() => service().reports.length > 2 || undefined);
    const asked = service().requests.filter((request) => request.startsWith('GET /edge/v1/changes')).length;
    expect(asked).to.be.lessThan(10);
  });
});

describe('a whole state', () => {
  const { service, start, stop } = stage();
  const names = (count: number) => Array.from({ length: count }, (_, index) => `z${index}`);

  it('after a restored backup replaces what is there, without a moment in which zones are missing', async () => {
    for (const id of ['a', 'b', 'gone']) service().put({ id });
    const edge = await start();
    await service().reported(applied(3));
    service().forget('gone');
    service().forgetPositions();
    const over = service()
      .reported(applied(2))
      .then(() => 'over');
    const statuses = new Set<number>();
    do {
      statuses.add((await edge.ask('a.example')).status);
    } while ((await Promise.race([over, Promise.resolve('not yet')])) === 'not yet');
    expect([...statuses]).to.deep.equal([200]);
    expect((await edge.ask('gone.example')).status).to.equal(421);
  });

  it('may be longer than one answer', async () => {
    service().pageSize = 20;
    for (const id of names(41)) service().put({ id });
    const edge = await start();
    await service().reported(applied(41));
    expect((await edge.ask('z40.example')).status).to.equal(200);
    const questions = service().requests.filter((request) => request.startsWith('GET /edge/v1/changes'));
    expect(questions.slice(0, 3)).to.deep.equal([
      'GET /edge/v1/changes',
      'GET /edge/v1/changes?after=1.20&wait=0',
      'GET /edge/v1/changes?after=1.40&wait=0',
    ]);
  });

  it('that is interrupted is read again from its beginning', async () => {
    service().pageSize = 20;
    for (const id of names(21)) service().put({ id });
    service().faults.changes = (answer, after) => (after === undefined ? answer : 503);
    const first = await start();
    await service().reported(applied(20));
    await stop(first);
    delete service().faults.changes;
    const fetched = service().requests.length;
    await start();
    await service().reported(applied(21));
    const documents = service()
      .requests.slice(fetched)
      .filter((request) => request.includes('/documents/'));
    expect(documents).to.have.length(1);
  });

  it('that would remove many zones is refused, unless the service says that this is meant', async () => {
    for (const id of names(50)) service().put({ id });
    const edge = await start();
    await service().reported(applied(50));
    for (const id of names(50).slice(0, 11)) service().forget(id);
    service().forgetPositions();
    const report = await service().reported(({ zones }) => zones.rejected.length > 0);
    expect(new Set(report.zones.rejected.map(({ code }) => code))).to.deep.equal(new Set(['feed.shrunk']));
    expect(report.zones).to.deep.include({ applied: 50 });
    expect((await edge.ask('z0.example')).status).to.equal(200);
    service().faults.changes = (answer) => ({ ...answer, shrink: true });
    const after = await service().reported(applied(39));
    expect(after.zones.rejected).to.deep.equal([]);
  });

  it('is no such loss if it is small, and the same holds for changes', async () => {
    for (const id of names(50)) service().put({ id });
    await start();
    await service().reported(applied(50));
    for (const id of names(10)) service().remove(id);
    await service().reported(applied(40));
    for (const id of names(30).slice(10)) service().remove(id);
    await service().reported(({ zones }) => zones.rejected.length === 20);
  });
});

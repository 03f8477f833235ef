import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStateFolder } from '../../src/state/state-folder.ts';
import { documentOf } from '../support/documents.ts';
import { errorOf, valueOf } from '../support/outcomes.ts';
import { aStatePlace, type StatePlace } from '../support/running-edge.ts';

describe('the state folder', () => {
  let place: StatePlace;
  beforeEach(() => {
    place = aStatePlace();
  });
  afterEach(() => place.clean());
  const open = async () => valueOf(await openStateFolder(place.path));

  it('gives back what was written, and only its owner can read it', async () => {
    const folder = await open();
    const { digest, bytes } = documentOf({ id: 'a' });
    const table = {
      program: '1.0.0',
      position: 'p',
      zones: [{ id: 'a', digest, hostnames: ['a.example'], needs: ['asn' as const] }],
      rejected: [{ id: 'b', digest, code: 'document.check', message: 'Check 0.' }],
    };
    await folder.writeKey('zwe_1');
    await folder.writeDocument(digest, bytes);
    await folder.writeTable(table);
    expect([await folder.readKey(), await folder.readTable(), await folder.readDocument(digest)]).to.deep.equal([
      'zwe_1',
      table,
      bytes,
    ]);
    const modes = ['key', 'zones.json', `documents/${readdirSync(join(place.path, 'documents'))[0]}`].map(
      (name) => statSync(join(place.path, name)).mode & 0o777,
    );
    expect(modes).to.deep.equal([0o600, 0o600, 0o600]);
    folder.close();
  });

  it('has nothing at first, and nothing in place of a damaged table', async () => {
    const folder = await open();
    expect([await folder.readKey(), await folder.readTable()]).to.deep.equal([undefined, undefined]);
    writeFileSync(join(place.path, 'zones.json'), '{"zones": [');
    expect(await folder.readTable()).to.equal(undefined);
    folder.close();
  });

  it('removes documents that are not used, and unfinished files', async () => {
    const folder = await open();
    const [a, b] = [documentOf({ id: 'a' }), documentOf({ id: 'b' })];
    for (const each of [a, b]) await folder.writeDocument(each.digest, each.bytes);
    writeFileSync(join(place.path, 'documents/x.json.1.tmp'), 'x');
    await folder.sweep(new Set([a.digest]));
    expect(readdirSync(join(place.path, 'documents'))).to.deep.equal([`${a.digest.slice(7)}.json`]);
    folder.close();
  });

  it('is for one process at a time', async () => {
    const folder = await open();
    const line = `STATE_DIR: ${JSON.stringify(place.path)} is in use by another edge`;
    expect(errorOf(await openStateFolder(place.path))).to.equal(line);
    folder.close();
    const again = await open();
    again.close();
  });

  it('must be writable', async () => {
    const file = join(place.path, 'file');
    writeFileSync(file, '');
    const line = `STATE_DIR: ${JSON.stringify(file)} cannot be written (ENOTDIR)`;
    expect(errorOf(await openStateFolder(file))).to.equal(line);
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivateFile } from '../src/private-file.ts';

describe('writePrivateFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-private-'));
  const path = join(folder, 'dump');
  afterEach(() => rmSync(path, { force: true }));
  after(() => rmSync(folder, { recursive: true }));

  const failureOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.fail('it succeeded'),
      (error: Error) => error,
    );

  it('makes a file that only its owner can read before anything is in it, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      await writePrivateFile(path, async (file) => {
        expect((await file.stat()).mode & 0o777).to.equal(0o600);
        await file.writeFile('secret');
      });
    } finally {
      process.umask(umask);
    }
    expect(readFileSync(path, 'utf8')).to.equal('secret');
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('leaves an existing file, or a link that somebody else has put there, as it is', async () => {
    writeFileSync(path, 'earlier');
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'elsewhere'), link);
    for (const taken of [path, link]) {
      const { message } = await failureOf(writePrivateFile(taken, (file) => file.writeFile('secret')));
      expect(message).to.equal(`${taken} already exists.`);
    }
    expect(readFileSync(path, 'utf8')).to.equal('earlier');
    expect(readdirSync(folder)).to.have.members(['dump', 'link']);
  });

  it('leaves nothing of what could not be written', async () => {
    const failure = new Error('The disk is full.');
    expect(await failureOf(writePrivateFile(path, () => Promise.reject(failure)))).to.equal(failure);
    expect(readdirSync(folder)).not.to.include('dump');
  });
});

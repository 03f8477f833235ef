import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailNotAccepted } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import PostalMime from 'postal-mime';
import { fileMailer } from '../src/file-mailer.ts';
import { messageFor } from '../src/messages.ts';
import { aMail, asWritten, at, from, links, mails, to } from './mails.ts';

const now = () => new Date('2026-03-01T12:00:00.123Z');

describe('fileMailer', () => {
  let parent = '';
  let directory = '';
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'mails-'));
    directory = join(parent, 'data', 'mails');
  });
  afterEach(() => rm(parent, { recursive: true }));

  function opened() {
    const printed: string[] = [];
    return { printed, mailer: fileMailer({ directory, from, links, print: (text) => printed.push(text), now }) };
  }

  for (const { name: mailName, mail, link } of mails) {
    it(`saves the mail "${mailName}" as a file that mail programs can read, and prints its link, if any`, async () => {
      const { printed, mailer } = opened();
      expect(await mailer.send(mail, at)).to.deep.equal(ok(undefined));
      const [name = ''] = await readdir(directory);
      const { subject, text, html } = messageFor(mail, links, from, at);
      const parsed = await PostalMime.parse(await readFile(join(directory, name)));
      expect(parsed.to).to.deep.equal([{ address: to, name: '' }]);
      expect(parsed.subject).to.equal(subject);
      expect(asWritten(parsed.text)).to.equal(text);
      expect(asWritten(parsed.html)).to.equal(html);
      const linkLine = link === undefined ? '' : `\n  link: ${link}`;
      expect(printed).to.deep.equal([`Mail to ${to}: ${subject}${linkLine}\n  file: ${join(directory, name)}`]);
    });
  }

  it('names the files by time and kind, and overwrites none', async () => {
    const { mailer } = opened();
    await Promise.all(Array.from({ length: 5 }, () => mailer.send(aMail, at)));
    const names = await readdir(directory);
    expect(names).to.have.length(5);
    for (const name of names) expect(name).to.match(/^2026-03-01T12-00-00\.123Z-verify-email-[0-9a-f]{8}\.eml$/);
  });

  it('makes them readable only by the owner', async () => {
    await opened().mailer.send(aMail, at);
    const [name = ''] = await readdir(directory);
    expect((await stat(directory)).mode & 0o777).to.equal(0o700);
    expect((await stat(join(directory, name))).mode & 0o777).to.equal(0o600);
  });

  it('reports a directory that cannot be written to, and prints nothing', async () => {
    await writeFile(join(parent, 'data'), 'a file where a directory should be');
    const { printed, mailer } = opened();
    expect(await mailer.send(aMail, at)).to.deep.equal(err(mailNotAccepted('file ENOTDIR')));
    expect(printed).to.deep.equal([]);
  });
});

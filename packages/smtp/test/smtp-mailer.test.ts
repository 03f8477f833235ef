import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { type MailNotAccepted, mailNotAccepted } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok, type Result } from 'neverthrow';
import PostalMime from 'postal-mime';
import { messageFor } from '../src/messages.ts';
import { type SmtpMailer, type SmtpSettings, smtpMailer } from '../src/smtp-mailer.ts';
import { aMail, asWritten, at, from, links, mails, to, token } from './mails.ts';
import { type Close, type ReceivingOptions, receivingServer, talkingServer } from './servers.ts';

const wrong = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

describe('smtpMailer', () => {
  const closing: Close[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  async function receiving(options: ReceivingOptions = {}) {
    const server = await receivingServer(options);
    closing.push(server.close);
    return server;
  }

  async function talking(talk: (socket: Socket) => void): Promise<number> {
    const { port, close } = await talkingServer(talk);
    closing.push(close);
    return port;
  }

  function mailerTo(port: number, settings: Partial<SmtpSettings> = {}): SmtpMailer {
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from, links, requireTls: false, ...settings });
    closing.push(() => mailer.close());
    return mailer;
  }

  /** The reason must help operators without revealing anything. */
  function expectRefused(result: Result<void, MailNotAccepted>, reason: RegExp): void {
    const text = result.match(
      () => expect.fail('the mail was accepted'),
      ({ reason }) => reason,
    );
    expect(text).to.match(reason);
    expect(text.toLowerCase()).not.to.contain('ada').and.not.to.contain(token.toLowerCase());
  }

  for (const { name, mail, link = '' } of mails) {
    it(`delivers the mail "${name}" to its recipient, with its link, if any, in both parts`, async () => {
      const { arrived, port } = await receiving();
      expect(await mailerTo(port).send(mail, at)).to.deep.equal(ok(undefined));
      expect(arrived.map(({ recipients }) => recipients)).to.deep.equal([[to]]);
      const parsed = await PostalMime.parse(arrived[0]?.content ?? '');
      const { subject, text, html } = messageFor(mail, links, from, at);
      expect(parsed.to).to.deep.equal([{ address: to, name: '' }]);
      expect(parsed.from).to.deep.equal(from);
      expect(parsed.subject).to.equal(subject);
      expect(asWritten(parsed.text)).to.equal(text).and.to.contain(link);
      expect(asWritten(parsed.html)).to.equal(html).and.to.contain(link.replaceAll('&', '&amp;'));
      expect(parsed.headers).to.deep.include({
        key: 'auto-submitted',
        originalKey: 'Auto-Submitted',
        value: 'auto-generated',
      });
    });
  }

  it('signs in with the credentials in the URL', async () => {
    const seen: unknown[] = [];
    const { port } = await receiving({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        seen.push([username, password]);
        callback(null, { user: 1 });
      },
    });
    const mailer = mailerTo(port, { url: `smtp://me%40example.test:p%40ss@127.0.0.1:${port}` });
    expect(await mailer.send(aMail, at)).to.deep.equal(ok(undefined));
    expect(seen).to.deep.equal([['me@example.test', 'p@ss']]);
  });

  it('reports a rejected recipient without the server’s text', async () => {
    const { arrived, port } = await receiving({
      onRcptTo: ({ address }, _session, callback) => callback(wrong(550, `no such user ${address}`)),
    });
    expect(await mailerTo(port).send(aMail, at)).to.deep.equal(
      err(mailNotAccepted('SMTP EENVELOPE 550: the server does not accept the sender or the recipient')),
    );
    expect(arrived).to.deep.equal([]);
  });

  it('reports rejected content, and still delivers the next mail', async () => {
    const answers = [wrong(451, `cannot store mail for ${to}`)];
    const { port } = await receiving({ answer: async () => answers.shift() });
    const mailer = mailerTo(port);
    expectRefused(await mailer.send(aMail, at), /^SMTP EMESSAGE 451: /);
    expect(await mailer.send(aMail, at)).to.deep.equal(ok(undefined));
  });

  it('reports wrong credentials', async () => {
    const { port } = await receiving({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(new Error('secret words')),
    });
    const mailer = mailerTo(port, { url: `smtp://ada:wrong@127.0.0.1:${port}` });
    expectRefused(await mailer.send(aMail, at), /^SMTP EAUTH 535: /);
  });

  it('gives up on a server that accepts the connection and says nothing', async () => {
    const port = await talking(() => undefined);
    expectRefused(await mailerTo(port, { timeouts: { greeting: 0.02 } }).send(aMail, at), /^SMTP ETIMEDOUT: /);
  });

  it('gives up on a server that falls silent after the greeting', async () => {
    const port = await talking((socket) => socket.write('220 ready\r\n'));
    expectRefused(await mailerTo(port, { timeouts: { socket: 0.02 } }).send(aMail, at), /^SMTP ETIMEDOUT: /);
  });

  it('gives up on a server that never stops talking', async () => {
    const port = await talking((socket) => {
      socket.write('220 ready\r\n');
      const chatter = setInterval(() => socket.write('250-more\r\n'), 5);
      socket.on('close', () => clearInterval(chatter));
    });
    expectRefused(await mailerTo(port, { timeouts: { delivery: 0.1 } }).send(aMail, at), /^SMTP EABORT$/);
  });

  it('reports an unreachable server', async () => {
    const port = await talking(() => undefined);
    await closing.pop()?.();
    expectRefused(await mailerTo(port).send(aMail, at), /^SMTP ECONNREFUSED: nothing listens /);
  });

  it('sends nothing to a server without encryption if encryption is required', async () => {
    const { arrived, port } = await receiving();
    expectRefused(
      await mailerTo(port, { requireTls: true }).send(aMail, at),
      /^SMTP ETLS 500: the server does not encrypt$/,
    );
    expect(arrived).to.deep.equal([]);
  });

  it('sends nothing to a server with an invalid certificate if encryption is required', async () => {
    const { arrived, port } = await receiving({ disabledCommands: [], logger: false });
    expectRefused(
      await mailerTo(port, { requireTls: true }).send(aMail, at),
      /^SMTP CERT_HAS_EXPIRED: the certificate of the server is not valid$/,
    );
    expect(arrived).to.deep.equal([]);
  });

  it('reports that a server does not use implicit TLS', async () => {
    const { port } = await receiving();
    expectRefused(
      await mailerTo(port, { url: `smtps://127.0.0.1:${port}` }).send(aMail, at),
      /smtp:\/\/ uses STARTTLS/,
    );
  });

  it('opens at most three connections, however many mails there are', async () => {
    let [open, most] = [0, 0];
    const { arrived, port } = await receiving({
      onConnect(_session, callback) {
        open += 1;
        most = Math.max(most, open);
        callback();
      },
      onClose() {
        open -= 1;
      },
    });
    const mailer = mailerTo(port);
    const results = await Promise.all(Array.from({ length: 12 }, () => mailer.send(aMail, at)));
    expect(results.every((result) => result.isOk())).to.equal(true);
    expect(arrived).to.have.length(12);
    expect(most).to.equal(3);
  });

  it('finishes current deliveries on close, and accepts no more', async () => {
    const [arrival, acceptance] = [new EventEmitter(), new EventEmitter()];
    const arrived = once(arrival, 'arrived');
    const { port } = await receiving({
      async answer() {
        arrival.emit('arrived');
        await once(acceptance, 'accepted');
        return undefined;
      },
    });
    const mailer = mailerTo(port);
    const sending = mailer.send(aMail, at);
    await arrived;
    const closed = mailer.close();
    acceptance.emit('accepted');
    await closed;
    expect(await sending).to.deep.equal(ok(undefined));
    expectRefused(await mailer.send(aMail, at), /^SMTP ECONNECTION$/);
  });
});

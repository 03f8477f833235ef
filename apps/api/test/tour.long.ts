import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { freePort, type Service, startService } from './readme-support.ts';

const email = 'grace@example.com';
const password = 'Correct-Horse-7';

describe('the tour with a mail server and a restart', function () {
  this.timeout(60_000);
  const arrived: Promise<Email>[] = [];
  const mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: (stream, _session, done) => {
      arrived.push(buffer(stream).then((content) => PostalMime.parse(content)));
      stream.on('end', () => done());
    },
  });
  let env: Record<string, string>;
  let service: Service;
  let token: string;

  before(async () => {
    await once(mailServer.listen(0, '127.0.0.1'), 'listening');
    const { port } = mailServer.server.address() as { port: number };
    const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-tour-'));
    env = { DATA_DIR: dataDir, PORT: await freePort(), SMTP_URL: `smtp://127.0.0.1:${port}` };
    service = await startService(env);
  });

  after(async () => {
    await service?.stop();
    await new Promise<void>((resolve) => mailServer.close(() => resolve()));
    rmSync(env['DATA_DIR'] ?? '', { recursive: true, force: true, maxRetries: 5 });
  });

  /** Sends JSON if there is a body, and requires a 2xx response. */
  async function call<T>(method: string, path: string, body?: object, type = 'application/json'): Promise<T> {
    const credentials = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { Accept: 'application/json', ...credentials, ...(body && { 'Content-Type': type }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path} answered ${answer.status}: ${text}`).to.equal(true);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async function firstMail(): Promise<Email> {
    while (arrived[0] === undefined) await delay(20);
    return arrived[0];
  }

  it('has the same user, zone, rule order and session after SIGTERM and a restart', async () => {
    await call('POST', '/api/auth/register', { email, password, firstName: 'Grace', lastName: 'Hopper' });
    const mail = await firstMail();
    expect(mail.to?.map(({ address }) => address)).to.deep.equal([email]);
    const [, verification] = /#token=([\w-]+)/.exec(mail.text ?? '') ?? [];
    await call('POST', '/api/auth/verify-email', { token: verification });

    const first = await call<{ token: string; refreshToken: string }>('POST', '/api/auth/login', { email, password });
    token = first.token;
    const zone = await call<{ id: string }>('POST', '/api/zones', { name: 'shop.example.com' });
    const rules = `/api/zones/${zone.id}/configuration-rules`;
    for (const name of ['one', 'two', 'three']) await call('POST', rules, ruleNamed(name));
    const [, , third] = await call<{ id: string }[]>('GET', rules);
    await call('PATCH', `${rules}/${third?.id}`, { order: 1 }, 'application/merge-patch+json');
    const read = async () => ({
      profile: await call('GET', '/api/users/me'),
      zones: await call('GET', '/api/zones'),
      zone: await call('GET', `/api/zones/${zone.id}`),
      rules: await call<{ name: string; order: number }[]>('GET', rules),
    });
    const before = await read();
    expect(before.rules.map(({ name, order }) => [order, name])).to.deep.equal([
      [1, 'three'],
      [2, 'one'],
      [3, 'two'],
    ]);

    expect(await service.stop()).to.equal(0);
    service = await startService(env);

    expect(await read()).to.deep.equal(before);
    const { refreshToken } = first;
    const second = await call<typeof first>('POST', '/api/auth/refresh', { refreshToken });
    expect(second.refreshToken).to.not.equal(refreshToken);
    token = second.token;
    expect(await read()).to.deep.equal(before);
    expect(arrived).to.have.length(1);
  });
});

const ruleNamed = (name: string) => ({
  name,
  conditions: { logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value: `/${name}` }] },
});

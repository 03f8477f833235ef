import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { freePort, root, runSteps, type Service, startService, stepsIn } from './readme-support.ts';
import { expectTranscript, transcriptSteps } from './support/tour-transcript.ts';

const email = 'grace@example.com';
const password = 'Correct-Horse-7';

describe('the tour of README.md', function () {
  this.timeout(120_000);
  let dataDir: string;
  let service: Service;
  let edge: string;
  let addresses: Record<string, string>;
  let printed: ReadonlyMap<string, string>;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'zonewright-tour-'));
    const [edgePort, originPort] = [await freePort(), await freePort()];
    const env = { DATA_DIR: dataDir, PORT: await freePort(), EDGE_PORT: edgePort, ORIGIN_NETWORKS: '127.0.0.0/8' };
    service = await startService(env);
    while (!service.output().includes('Press Ctrl-C')) await delay(20);
    edge = `http://localhost:${edgePort}`;
    addresses = { 'http://localhost:3000': service.url, 'http://localhost:3080': edge };
    const steps = stepsIn('README.md', 'A five-minute tour');
    const end = steps.findIndex(({ heading }) => heading === 'Refresh the session');
    printed = await runSteps([...steps.slice(0, end), ...transcriptSteps(), ...steps.slice(end)], {
      ...addresses,
      '8081': originPort,
      '.data/': `${dataDir}/`,
    });
  });

  after(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const step = (heading: string): string => printed.get(heading) ?? expect.fail(`The tour has no step "${heading}".`);

  it('starts with the lines shown in README.md', () => {
    const [, shown = ''] = /```text\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    const here = shown
      .replaceAll('http://localhost:3000', service.url)
      .replaceAll('http://localhost:3080', edge)
      .replaceAll('/home/you/zonewright/.data', dataDir);
    expect(here).to.include('API');
    expect(service.output()).to.include(here.trim());
  });

  it('registers an account', () => {
    expect(JSON.parse(step('Register'))).to.have.keys('message', 'id');
  });

  it('verifies the address with the token of the mail', () => {
    expect(step('Verify the address')).to.include('verified');
  });

  it('reads the profile', () => {
    expect(JSON.parse(step('Read your profile'))).to.include({ email: 'ada@example.com', emailVerified: true });
  });

  it('creates a zone and finds it in the list', () => {
    expect(step('Create a zone')).to.match(/^zone [0-9a-f-]{36}$/);
    expect(step('List your zones')).to.equal('shop.example.com keeps objects for 3600 seconds');
  });

  it('creates two rules and moves the last one to the front', () => {
    expect(step('Create two rules')).to.equal('1');
    expect(step('Move a rule')).to.equal('1');
    expect(step('Read the zone').split('\n')).to.deep.equal([
      '1. Never cache the cart',
      '2. Keep the blog for a day',
      '{ used: 2, limit: 100 }',
    ]);
  });

  const isShown = (heading: string) =>
    expect(readFileSync(join(root, 'README.md'), 'utf8')).to.include(`\n${step(heading)}\n\`\`\`\n`);

  it('evaluates a request as README.md shows', () => {
    isShown('Trace a request');
    expect(step('Trace a request')).to.match(/^Never cache the cart: notMatched\n.*: matched\n86400\nnoBackend$/);
  });

  it('answers requests by the rules of the zone, and otherwise after a change, as README.md shows', () => {
    expect(step('Start an origin')).to.equal('The shop shows /started');
    expect(step('Put the zone in front of it')).to.equal("[ 'shop.localhost' ]");
    isShown('Close the checkout');
    expect(step('Close the checkout')).to.match(/\n503$/);
    isShown('Open it again');
    expect(step('Open it again')).to.match(/\nThe shop shows \/checkout$/);
  });

  it('lets a change take effect at the edge as docs/edge.md shows', () => {
    expectTranscript(printed, addresses);
  });

  it('continues with a refreshed session, cleans up and logs out', () => {
    expect(step('Clean up').split('\n')).to.deep.equal(['204', '204']);
    expect(JSON.parse(step('Log out'))).to.have.keys('message');
  });
});

describe('the tour with a mail server and a restart', function () {
  this.timeout(120_000);
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

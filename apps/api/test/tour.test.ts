import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, root, runStepsWith, type Service, startService, stepsIn } from './readme-support.ts';
import { expectTranscript, transcriptSteps } from './support/tour-transcript.ts';

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
    // With Node as readers have it.
    printed = await runStepsWith(
      dirname(process.execPath),
      [...steps.slice(0, end), ...transcriptSteps(), ...steps.slice(end)],
      {
        ...addresses,
        '8081': originPort,
        '.data/': `${dataDir}/`,
      },
    );
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
    // A build names its commit.
    expect(service.output().replace(/(Zonewright [\d.]+)\+\S+/, '$1')).to.include(here.trim());
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

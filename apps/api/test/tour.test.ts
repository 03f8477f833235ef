import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { freePort, root, runStepsWith, type Service, startService, stepsIn } from './readme-support.ts';

describe('the tour of README.md', function () {
  this.timeout(60_000);
  let dataDir: string;
  let service: Service;
  let printed: ReadonlyMap<string, string>;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'zonewright-tour-'));
    service = await startService({ DATA_DIR: dataDir, PORT: await freePort() });
    // With Node as readers have it.
    printed = await runStepsWith(dirname(process.execPath), stepsIn('README.md', 'A five-minute tour'), {
      'http://localhost:3000': service.url,
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

  it('evaluates a request as README.md shows', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).to.include(`\n${step('Trace a request')}\n`);
    expect(step('Trace a request')).to.match(/^Never cache the cart: notMatched\n.*: matched\n86400\nnoBackend$/);
  });

  it('continues with a refreshed session, cleans up and logs out', () => {
    expect(step('Clean up').split('\n')).to.deep.equal(['204', '204']);
    expect(JSON.parse(step('Log out'))).to.have.keys('message');
  });
});

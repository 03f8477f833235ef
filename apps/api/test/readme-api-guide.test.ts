import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { freePort, root, runSteps, type Service, startService, stepsIn } from './readme-support.ts';
import { freshDatabase } from './support/database.ts';

const guide = 'docs/api-guide.md';
const account = {
  email: 'ada@example.com',
  password: 'Correct-Horse-7',
  firstName: 'Ada',
  lastName: 'Lovelace',
};

describe('the commands of docs/api-guide.md', function () {
  this.timeout(60_000);
  let dataDir: string;
  let service: Service;
  let printed: ReadonlyMap<string, string>;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'zonewright-guide-'));
    const { url, database } = await freshDatabase();
    await database.$pool.end();
    service = await startService({
      DATA_DIR: dataDir,
      PORT: await freePort(),
      DATABASE_URL: url,
      // A busy machine takes longer for the same work, which costs points.
      RATE_LIMIT_SCALE: '10',
    });
    await post('/api/auth/register', account);
    const mail = await PostalMime.parse(await firstMail());
    await post('/api/auth/verify-email', { token: /#token=([\w-]+)/.exec(mail.text ?? '')?.[1] });
    printed = await runSteps(stepsIn(guide), { 'http://localhost:3000': service.url });
  });

  after(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function post(path: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok, await answer.text()).to.equal(true);
  }

  async function firstMail(): Promise<Buffer> {
    const folder = join(dataDir, 'mails');
    for (;;) {
      const [name] = existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith('.eml')) : [];
      if (name !== undefined) return readFileSync(join(folder, name));
      await delay(20);
    }
  }

  /** The `text` or `json` blocks below a heading: the documented output. */
  const shownBelow = (heading: string, language: string): string => {
    const [, section = ''] = readFileSync(join(root, guide), 'utf8').split(`\n## ${heading}\n`);
    return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1] ?? '';
  };

  const expected: readonly [heading: string, lines: readonly string[]][] = [
    ['Authenticate', ['ada@example.com', '/errors/invalid-credentials', '204']],
    ['Zones', ['alpha.example.com', 'beta.example.com', 'gamma.example.com']],
    ['Rules', ['1', '2', '3']],
    ['Order', ['1', '1 three, 2 one, 3 two']],
    ['Next to another rule', ['order=1', 'order=2', 'order=3']],
    ['All at once', ['1 three, 2 two, 3 one', '/errors/precondition-failed', '/errors/precondition-required']],
    ['Rewrite rules and access rules', ['/posts/$1', '1']],
    ['Security scenarios', ['probing', 'crawl', 'brute-force']],
    ['Merge patch', ['{ cachingDefaultTtl: 3600 }']],
    ['Change a zone', ['60', '604800']],
    ['Entity tags', ['304', '200', '412']],
    ['What happens to a request', ['noBackend', '/A~', 'challenge']],
    [
      'What holds for all requests',
      [
        'true',
        '2',
        '3',
        'No request reaches the rule “Office”: the rule “Staff” stops every request that matches it.',
        '/staff/office',
        '1',
      ],
    ],
    [
      'History and restore',
      [
        'accessRule.created',
        'true',
        '{ zone_settings: { minifyHtml: false } }',
        'false',
        "[ 'zone.restored', 'zone.changed' ]",
        '0',
      ],
    ],
    [
      'What a change does to requests',
      ['Exactly one kind of request is treated differently. This is proven.', 'settings.minifyHtml', 'true'],
    ],
    ['Change sets', ['block', 'applied', 'changeSet.applied']],
    ['Safe retries', ['the same zone', '/errors/idempotency-key-reused', 'Idempotency-Replayed: true']],
    [
      'Backends',
      ['443', '443', 'load_balancer', '1', '8443', "[ '2 originServer.changed', '1 originServer.created' ]", '443'],
    ],
    ['OpenAPI', ['createZone']],
    ['Linked data', ['/api/zones', 'getZone patchZone deleteZone']],
    ['Deleted zones', ["[ 'gone.example.com 1' ]", 'stage', 'zone.undeleted']],
    ['Clean up', ['204', '204', '204', '204', '204', 'Logged out.']],
  ];
  for (const [heading, lines] of expected) {
    it(`print the documented output under "${heading}"`, () => {
      expect(printed.get(heading)?.split('\n')).to.deep.equal(lines);
    });
  }

  it('print the user, the setting, and what uses the user under "Basic-auth users"', () => {
    expect(printed.get('Basic-auth users')?.split('\n')).to.deep.equal(["[ 'guest: The press' ]", 'true', '1']);
  });

  it('print an identity as linked data and a member as plain JSON under "Formats"', () => {
    expect(printed.get('Formats')).to.match(/^"@id":"\/api\/users\/[0-9a-f-]{36}"\nAda$/);
  });

  it('print the page links that the page shows', () => {
    const shown = shownBelow('Lists: paging, filters, order', 'text').trim();
    const [links, total, previous, ...found] = printed.get('Lists: paging, filters, order')?.split(/\r?\n/) ?? [];
    expect([links, total].join('\n')).to.equal(shown);
    expect(previous).to.equal('/api/zones?tag=stage&itemsPerPage=2&page=1');
    expect(found).to.deep.equal(["[ 'alpha.example.com' ]"]);
  });

  it('print the problem document that the page shows', () => {
    expect(JSON.parse(printed.get('Errors') ?? '')).to.deep.equal(JSON.parse(shownBelow('Errors', 'json')));
  });
});

import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { anApiToken, anOriginServer, aRule, aVerifiedUser, aZone, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { flawsOf } from './support/legibility.ts';
import { signIn } from './support/sign-in.ts';
import { type VisitOptions, visitor } from './support/visit.ts';

const visit = visitor();

const sizes = { phone: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } };

const only = (field: string, operator: string, value: string, target?: string) => ({
  logic: 'and',
  conditions: [{ field, operator, value, ...(target === undefined ? {} : { target }) }],
});

describe('/explain', () => {
  let service: MemoryService;
  let ada: User;
  let zone: Awaited<ReturnType<typeof aZone>>;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    const { id } = await anOriginServer(ada);
    zone = await aZone(ada, {
      zone_settings: { cachingDefaultTtl: 3600, defaultBackend: { type: 'origin_server', id } },
    });
    await aRule(ada, zone, {
      name: 'Blog',
      conditions: only('uri', 'starts_with', '/blog/'),
      settingsOverrides: { cachingDefaultTtl: 86_400 },
    });
    for (let index = 1; index <= 8; index += 1) {
      await aRule(ada, zone, { name: `Campaign ${index}`, conditions: only('uri', 'equals', `/c${index}`) });
    }
    await aRule(ada, zone, {
      name: 'German',
      conditions: only('header', 'contains', 'de', 'Accept-Language'),
      settingsOverrides: { cachingDefaultTtl: 60 },
    });
  });
  after(() => service.close());

  async function open(fragment = '', options: VisitOptions = {}): Promise<Page> {
    const { page } = await visit(`${service.url}/explain${fragment}`, { ...options, as: ada });
    await page.getByRole('heading', { name: 'Request', level: 2 }).waitFor();
    return page;
  }

  const ask = (page: Page) => page.getByRole('button', { name: 'Explain' }).click();
  const answered = (page: Page, result: string) => page.getByRole('heading', { name: result, level: 2 }).waitFor();
  const part = (page: Page, name: string) =>
    page.locator('.phase').filter({ has: page.getByRole('heading', { name }) });
  const shown = async (page: Page, name: string) => (await part(page, name).innerText()).replace(/\s+/g, ' ');

  it('says that requests are limited, keeps the question, and goes on where it was', async () => {
    let isLimited = true;
    const limited = {
      status: 429,
      headers: { 'Retry-After': '1' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/errors/too-many-requests', status: 429, detail: 'Too many requests.' }),
    };
    const routes = {
      '**/api/zones**': (route: Route) => (isLimited ? route.fulfill(limited) : route.continue()),
    };
    const asked = new URLSearchParams({ zone: zone.id, url: 'https://www.example.com/blog/1' });
    const { page, complaints } = await visit(`${service.url}/explain#${asked.toString()}`, { as: ada, routes });
    await page.getByText('Too many attempts. Try again in a minute.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).to.equal(false);
    expect(await page.getByLabel('URL').inputValue()).to.equal('https://www.example.com/blog/1');
    isLimited = false;
    await answered(page, 'Served');
    isLimited = true;
    await ask(page);
    await page.getByText('Too many attempts. Try again in a minute.').waitFor();
    expect(await page.getByRole('heading', { name: 'Served', level: 2 }).isVisible()).to.equal(true);
    // The browser reports each refused request.
    complaints.length = 0;
  });

  it('shows each rule, each writer of a setting and the delivery, and the effect of a change', async () => {
    const page = await open('', { viewport: sizes.wide });
    await page.getByLabel('Zone', { exact: true }).selectOption(zone.id);
    await page.getByLabel('URL').fill('https://www.example.com/blog/1?b=2&a=1');
    await page.getByLabel('Headers', { exact: true }).fill('Accept-Language: de');
    await ask(page);
    await answered(page, 'Served');
    const rules = await shown(page, 'Configuration rules');
    expect(rules).to.include('1. Blog matched writes cachingDefaultTtl ✓ uri starts with /blog/ request: /blog/1');
    expect(rules).to.include('2 to 9: 8 rules that do not apply');
    expect(await shown(page, 'Settings')).to.include('cachingDefaultTtl 3600 zone 86400 rule “Blog” 60 rule “German”');
    expect(await shown(page, 'Origin')).to.include('Target /blog/1?b=2&a=1');
    await page.getByLabel('Headers', { exact: true }).fill('');
    await ask(page);
    const changes = page.locator('.changes');
    await changes.waitFor();
    expect((await changes.innerText()).replace(/\s+/g, ' ')).to.equal(
      'Differences from the previous result ' +
        'Rule “German” matched, writes cachingDefaultTtl → not matched ' +
        'cachingDefaultTtl 60 (rule “German”) → 86400 (rule “Blog”)',
    );
    expect(await shown(page, 'Configuration rules')).to.include(
      '10. German not matched before: matched, writes cachingDefaultTtl ✗ header Accept-Language contains de request: absent',
    );
    await page.getByLabel('URL').fill('https://www.example.com/blog/1#top');
    await ask(page);
    await answered(page, 'Rejected (400)');
    expect(await page.getByRole('region', { name: 'Answer' }).innerText()).to.include('No longer there');
  });

  it('has links that contain the question without secrets, also for read-only tokens', async () => {
    const { plainToken } = await anApiToken(ada, { readOnly: true });
    const question = new URLSearchParams({ zone: zone.id, url: 'https://www.example.com/', country: 'DE' });
    question.append('header', 'X-Client: 7');
    question.append('header', 'Cookie:');
    const { page } = await visit(`${service.url}/explain#${question.toString()}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByLabel('Or use an API token').fill(plainToken);
    await page.getByRole('button', { name: 'Use the token' }).click();
    await answered(page, 'Served');
    expect(await page.getByLabel('Headers', { exact: true }).inputValue()).to.equal('X-Client: 7\nCookie:');
    await page.getByLabel('Headers', { exact: true }).fill('X-Client: 7\nCookie: id=s3cret');
    await page.getByText('Links leave out the contents of Cookie.').waitFor();
    await page.getByRole('button', { name: 'Copy a link' }).click();
    await page.getByRole('button', { name: 'Link copied' }).waitFor();
    const link = new URL(await page.evaluate('navigator.clipboard.readText()'));
    expect([...new URLSearchParams(link.hash.slice(1))]).to.deep.equal([
      ['zone', zone.id],
      ['url', 'https://www.example.com/'],
      ['method', 'GET'],
      ['country', 'DE'],
      ['header', 'X-Client: 7'],
      ['header', 'Cookie:'],
    ]);
  });

  it('asks to sign in again when its session has ended, and returns to the question', async () => {
    const question = new URLSearchParams({ zone: zone.id, url: 'https://www.example.com/', method: 'OPTIONS' });
    const page = await open(`#${question.toString()}`);
    await answered(page, 'Served');
    await page.context().clearCookies();
    await ask(page);
    await page.getByRole('alert').filter({ hasText: 'Your session has ended.' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, ada.email);
    await answered(page, 'Served');
    expect(new URL(page.url()).hash).to.include('method=OPTIONS');
  });

  it('helps accounts without zones', async () => {
    const { page } = await visit(`${service.url}/explain`, { as: await aVerifiedUser(service) });
    await page.getByLabel('URL').fill('https://www.example.com/');
    await ask(page);
    await page.locator('#question-zone-error').filter({ hasText: 'This field is required.' }).waitFor();
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.waitForURL('**/api/docs#create-a-zone');
  });

  it('shows errors at the fields concerned', async () => {
    const page = await open();
    const wrong: readonly (readonly [label: string, value: string, message: string])[] = [
      ['URL', 'ftp://www.example.com/', ''],
      ['IP address', '1.2.3', ''],
      ['Country', 'QQ', ''],
      ['AS number', 'x', ''],
      ['Headers', 'X-A: 1\nHost: a', 'Line 2: '],
    ];
    await page.getByLabel('Zone', { exact: true }).selectOption(zone.id);
    for (const [label, value] of wrong) await page.getByLabel(label, { exact: true }).fill(value);
    await ask(page);
    await page.locator('#question-url[aria-invalid]:focus').waitFor();
    for (const [label, , message] of wrong) {
      const described = await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
      const error = page.locator(`#${described?.split(' ').find((id) => id.endsWith('-error'))}`);
      expect(await error.innerText(), label).to.match(new RegExp(`^${message}\\S`));
    }
    for (const [label, value] of wrong) {
      await page.getByLabel(label, { exact: true }).fill(label === 'URL' ? value.replace('ftp', 'http') : '');
    }
    await page.getByText('More').click();
    const inMore = [
      ['Revision', '99', 'question-revision-error'],
      ['Unsaved change', '{"zone_settings":{"cachingDefaultTtl":-1}}', 'question-patch-error'],
    ] as const;
    for (const [label, value, error] of inMore) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await ask(page);
      await page.locator(`#${error}:not(:empty)`).waitFor();
      await page.getByLabel(label, { exact: true }).fill('');
    }
  });

  for (const [size, viewport] of Object.entries(sizes)) {
    it(`is legible and fits the screen, light and dark: ${size}`, async () => {
      const question = new URLSearchParams({ zone: zone.id, url: 'https://www.example.com/blog/' });
      const page = await open(`#${question.toString()}`, { viewport });
      await answered(page, 'Served');
      await page.getByLabel('URL').fill('https://www.example.com/c3');
      await ask(page);
      await page.locator('.changes').waitFor();
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await flawsOf(page)).to.deep.equal([]);
    });
  }
});

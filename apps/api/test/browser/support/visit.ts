import { expect } from 'chai';
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { openBrowser } from './chromium.ts';

/** A page that someone looks at in a browser of their own, where nothing is stored yet. */
export interface Visit {
  readonly page: Page;
  /** Paths of the API that the page called, in order. */
  readonly calls: readonly string[];
  /**
   * What the browser complained about: errors, failed loads, violations of the content security policy. A test that
   * provokes some takes them out.
   */
  readonly complaints: string[];
}

const patienceMilliseconds = 15_000;
const visits: Visit[] = [];

afterEach(async () => {
  const made = visits.splice(0);
  for (const { page } of made) await page.context().close();
  expect(made.flatMap(({ complaints }) => complaints)).to.deep.equal([]);
});

/** Follows a link. After the test the visit is over, and the test fails if the browser complained. */
export async function visit(link: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await openBrowser()).newContext(options);
  context.setDefaultTimeout(patienceMilliseconds);
  const page = await context.newPage();
  const calls: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname);
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message)) complaints.push(message.text());
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('violates', event.effectiveDirective));`,
  );
  await page.goto(link);
  const begun = { page, calls, complaints };
  visits.push(begun);
  return begun;
}

/** Browsers report every answer of 400 and above, and every lost connection; the pages expect them of the API. */
const isRefusal = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && new URL(message.location().url).pathname.startsWith('/api/');

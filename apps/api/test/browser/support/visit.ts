import { expect } from 'chai';
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { openBrowser } from './chromium.ts';

/** A page opened in a new browser context with empty storage. */
export interface Visit {
  readonly page: Page;
  /** API paths called by the page, in order. */
  readonly calls: readonly string[];
  /** Errors, failed loads and CSP violations reported by the browser. Tests that provoke some remove them. */
  readonly complaints: string[];
}

const timeoutMilliseconds = 15_000;
const visits: Visit[] = [];

afterEach(async () => {
  const made = visits.splice(0);
  for (const { page } of made) await page.context().close();
  expect(made.flatMap(({ complaints }) => complaints)).to.deep.equal([]);
});

/** Opens a link. After the test the page is closed, and the test fails if the browser complained. */
export async function visit(link: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await openBrowser()).newContext(options);
  context.setDefaultTimeout(timeoutMilliseconds);
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

/**
 * Browsers report every response with a status of 400 or above and every lost connection; the pages handle those of the
 * API.
 */
const isRefusal = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && new URL(message.location().url).pathname.startsWith('/api/');

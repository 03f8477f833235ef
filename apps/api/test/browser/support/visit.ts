import { cookieNames } from '@zonewright/api-description';
import { expect } from 'chai';
import type { ConsoleMessage, Page, Route } from 'playwright-core';
import type { User } from '../../support/arrange.ts';
import { openBrowser } from './chromium.ts';

/** A page with empty storage, in a browser context of its own. */
export interface Visit {
  readonly page: Page;
  /** API paths called by the page, in order. */
  readonly calls: string[];
  /** Errors, failed loads and CSP violations reported by the browser. Tests that provoke some remove them. */
  readonly complaints: string[];
}

/** The visitor's browser. */
export interface VisitOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly permissions?: readonly string[];
  readonly javaScriptEnabled?: boolean;
  /** Whose session the browser has; nobody's by default. */
  readonly as?: Pick<User, 'url' | 'token' | 'refreshToken'>;
  /** Who answers requests for URLs that match a pattern, from the first one on. */
  readonly routes?: Readonly<Record<string, (route: Route) => Promise<void>>>;
}

/** Opening a context and starting a process takes longer than most tests, so later visits reuse those of earlier ones. */
interface Tab {
  readonly page: Page;
  readonly javaScriptEnabled: boolean;
  /** The visit of the current test. */
  visit: Visit | undefined;
}

const timeoutMilliseconds = 15_000;
const usualViewport = { width: 1280, height: 720 };
let tabs: readonly Tab[] = [];

/** Opens links in a browser. After each test its pages are left, and the test fails if the browser complained. */
export function visitor(): typeof visit {
  afterEach(async function () {
    const used = tabs.filter(({ visit }) => visit !== undefined);
    const visits = used.flatMap(({ visit }) => visit ?? []);
    if (this.currentTest?.isPassed() === true) for (const tab of used) await leave(tab);
    else await discard(used);
    expect(visits.flatMap(({ complaints }) => complaints)).to.deep.equal([]);
  });
  return visit;
}

async function visit(link: string, options: VisitOptions = {}): Promise<Visit> {
  const { viewport = usualViewport, colorScheme = 'light', permissions = [], javaScriptEnabled = true, as } = options;
  const { routes = {} } = options;
  const free = tabs.find((tab) => tab.visit === undefined && tab.javaScriptEnabled === javaScriptEnabled);
  const tab = free ?? (await openTab(javaScriptEnabled));
  const { page } = tab;
  const begun: Visit = { page, calls: [], complaints: [] };
  tab.visit = begun;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  if (permissions.length > 0) await page.context().grantPermissions([...permissions]);
  if (as !== undefined) await giveSession(page, as);
  for (const [pattern, answer] of Object.entries(routes)) await page.route(pattern, answer);
  await page.goto(link);
  return begun;
}

/** Gives the browser the cookies of a session, as signing in does. */
export async function giveSession(
  page: Page,
  { url, token, refreshToken }: Pick<User, 'url' | 'token' | 'refreshToken'>,
): Promise<void> {
  const shared = { domain: new URL(url).hostname, secure: true, httpOnly: true } as const;
  await page.context().addCookies([
    { ...shared, name: cookieNames.accessToken, value: token, path: '/', sameSite: 'Lax' },
    { ...shared, name: cookieNames.refreshToken, value: refreshToken, path: '/api/auth', sameSite: 'Strict' },
  ]);
}

async function openTab(javaScriptEnabled: boolean): Promise<Tab> {
  const context = await (await openBrowser()).newContext({ javaScriptEnabled });
  context.setDefaultTimeout(timeoutMilliseconds);
  const page = await context.newPage();
  const tab: Tab = { page, javaScriptEnabled, visit: undefined };
  tabs = [...tabs, tab];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) tab.visit?.calls.push(pathname);
  });
  page.on('pageerror', ({ message }) => tab.visit?.complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message)) tab.visit?.complaints.push(message.text());
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('violates', event.effectiveDirective));`,
  );
  return tab;
}

/** Empties the storage and closes the document. A blank page opened by the document itself keeps the process. */
async function leave(tab: Tab): Promise<void> {
  const { page } = tab;
  await page.unrouteAll();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  // From here on a page may complain about requests that are cut off.
  tab.visit = undefined;
  await page.evaluate("location.replace('about:blank')");
  await page.waitForURL('about:blank');
  await page.context().clearCookies();
  await page.context().clearPermissions();
}

/** After a failure a page may be in any state. */
async function discard(failed: readonly Tab[]): Promise<void> {
  tabs = tabs.filter((tab) => !failed.includes(tab));
  for (const { page } of failed) await page.context().close();
}

/**
 * Browsers report every response with a status of 400 or above and every lost connection; the pages handle those of the
 * API.
 */
const isRefusal = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && new URL(message.location().url).pathname.startsWith('/api/');

import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';
import { anApiToken, aVerifiedUser, aZone } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { type Operation, openApi, operations } from '../support/openapi.ts';
import { excessWidth, flawsOf } from './support/legibility.ts';
import { operationSample } from './support/operation-sample.ts';
import { type VisitOptions, visitor } from './support/visit.ts';

const visit = visitor();

const sizes = { phone: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } };

const clippedSchemas =
  "[...document.querySelectorAll('.model-container')].filter((each) => each.scrollWidth > each.clientWidth).length";

/** Of every operation that a test opens, the path. */
const fewPaths = [
  '/auth/register',
  '/zones',
  '/zones/{zoneId}/configuration-rules/{id}/move',
  '/zones/{zoneId}/rewrite-rules/{id}/move',
];

/** The paths that have such an operation. */
const pathsWith = (isWanted: (operation: Operation) => boolean): readonly string[] =>
  Object.entries(openApi.paths).flatMap(([path, methods]) => (Object.values(methods).some(isWanted) ? [path] : []));

/** Of every group of operations, the first path. */
const groupPaths = openApi.tags.flatMap(({ name }) => pathsWith(({ tags }) => tags.includes(name)).slice(0, 1));

/** Leaves these paths in the served document: to render all takes a second, and again after every change of state. */
const shorten =
  (kept: readonly string[]) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch();
    const whole = (await response.json()) as typeof openApi;
    const paths = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => kept.includes(path)));
    await route.fulfill({ response, json: { ...whole, paths } });
  };

describe('the documentation page', () => {
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  /** Opens the page and waits for its reference. */
  async function reference(options: VisitOptions = {}, fragment = ''): Promise<Page> {
    const { page } = await visit(`${service.url}/api/docs${fragment}`, options);
    await page.locator('.opblock').first().waitFor();
    return page;
  }
  /** The same with a few operations, where the others make no difference. */
  const shortReference = (
    options: VisitOptions = {},
    fragment = '',
    paths: readonly string[] = fewPaths,
  ): Promise<Page> => reference({ ...options, routes: { '**/docs.jsonopenapi': shorten(paths) } }, fragment);

  const operationOf = (page: Page, section: string, operationId: string): Locator =>
    page.locator(`[id="operations-${section.replaceAll(' ', '_')}-${operationId}"]`);

  /** Follows the link to an operation and waits until it is expanded. */
  async function openOperation(page: Page, section: string, operationId: string): Promise<Locator> {
    const operation = operationOf(page, section, operationId);
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${encodeURIComponent(section)}/${operationId}`)}`);
    await operation.locator('.responses-table').waitFor();
    return operation;
  }

  it('loads everything from the service itself, and has one landmark of each kind, or named ones', async () => {
    const page = await reference();
    const loaded: string[] = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
    expect(loaded.filter((address) => address.endsWith('/api/docs.jsonopenapi'))).to.have.lengthOf(1);
    expect(loaded.filter((address) => !address.startsWith(`${service.url}/`))).to.deep.equal([]);
    expect(await page.getByRole('main').count()).to.equal(1);
    expect(await page.getByRole('banner').count()).to.equal(1);
    expect(await page.getByRole('navigation').count()).to.equal(1);
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).to.equal(1);
    expect(await page.locator('html').getAttribute('lang')).to.equal('en');
    expect(await page.title()).to.equal('Zonewright API');
    expect(await page.locator('.opblock').count()).to.equal(operations.length);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      expect(await excessWidth(page), size).to.equal(0);
    }
  });

  /** Waits until the top of the element is in the viewport. Playwright's `waitForFunction` needs `eval`. */
  async function inView(page: Page, id: string): Promise<void> {
    const element = page.locator(`[id="${id}"]`);
    const { height = 0 } = page.viewportSize() ?? {};
    for (;;) {
      const { y = -1 } = (await element.boundingBox()) ?? {};
      if (y >= 0 && y < height) return;
      await pause(20);
    }
  }

  it('renders every feature of operations without browser errors', async () => {
    const sample = operationSample();
    const page = await shortReference(
      {},
      '',
      pathsWith((operation) => sample.includes(operation)),
    );
    for (const { tags, operationId } of sample) {
      const operation = await openOperation(page, tags[0] ?? '', operationId);
      await operation.getByRole('tab', { name: 'Schema' }).first().click();
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-table').waitFor({ state: 'detached' });
    }
  });

  it('finds operations by words in their names and summaries, and links to them', async () => {
    const page = await shortReference({ viewport: sizes.wide });
    await page.keyboard.press('/');
    await page.keyboard.type('Rules rewrite move');
    const found = page.getByRole('list', { name: '1 operation' }).getByRole('link');
    expect(await found.first().textContent()).to.equal(
      'POST /zones/{zoneId}/rewrite-rules/{id}/moveMove a rewrite rule.',
    );
    await page.keyboard.press('Enter');
    await inView(page, 'operations-Rewrite_rules-moveRewriteRule');
    const opened = operationOf(page, 'Rewrite rules', 'moveRewriteRule');
    await opened.locator('.opblock-summary-control:focus').waitFor();
    await page.getByLabel('Find an operation').fill('nothing like it');
    await page.getByRole('status').filter({ hasText: 'No operation found.' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: 'Zones', exact: true }).waitFor();
  });

  it('shows the part of the guide that its URL names', async () => {
    const page = await shortReference({}, '#handle-errors');
    await inView(page, 'handle-errors');
    expect(new URL(page.url()).hash).to.equal('#handle-errors');
  });

  it('shows the operation that its URL names', async () => {
    const page = await shortReference({ viewport: sizes.phone }, '#/Configuration%20rules/moveConfigurationRule');
    await operationOf(page, 'Configuration rules', 'moveConfigurationRule').locator('.responses-table').waitFor();
    await inView(page, 'operations-Configuration_rules-moveConfigurationRule');
  });

  it('shows an operation of a collapsed group', async () => {
    const page = await shortReference();
    await page.getByRole('button', { name: 'Collapse operation' }).first().click();
    const [section, operationId] = ['Authentication', 'register'];
    await operationOf(page, section, operationId).waitFor({ state: 'detached' });
    await openOperation(page, section, operationId);
    await inView(page, `operations-${section.replaceAll(' ', '_')}-${operationId}`);
  });

  it('keeps the list of operations when the document cannot be loaded', async () => {
    const { page } = await visit(`${service.url}/api/docs`);
    await page.route('**/docs.jsonopenapi', (route) => route.fulfill({ status: 503 }));
    const documentRequested = page.waitForResponse('**/docs.jsonopenapi');
    await page.reload();
    await documentRequested;
    expect(await page.locator('#operation-list li').count()).to.equal(operations.length);
    expect(await page.locator('#credential').isVisible()).to.equal(false);
  });

  it('sends operations with a token that is never stored, until it is removed', async () => {
    const user = await aVerifiedUser(service);
    const { plainToken } = await anApiToken(user);
    const zone = await aZone(user);
    const page = await shortReference();
    const operation = await openOperation(page, 'Zones', 'listZones');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const state = page.locator('#token-state');
    const answer = operation.locator('.live-responses-table');
    const tried = async (status: string) => {
      await operation.getByRole('button', { name: 'Execute' }).click();
      await answer.locator('.response-col_status', { hasText: status }).waitFor();
    };
    for (const [token, kind] of [
      [plainToken, 'API token'],
      [user.token, 'access token'],
    ] as const) {
      await page.getByLabel('Access token or API token').fill(token);
      await page.getByRole('button', { name: 'Use token' }).click();
      expect(await state.textContent()).to.equal(`Requests now use your ${kind}.`);
      expect(await page.getByLabel('Access token or API token').inputValue()).to.equal('');
      await tried('200');
      expect(await answer.textContent()).to.include(zone.id);
      await operation.getByRole('button', { name: 'Clear' }).click();
    }
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).to.equal(0);
    await page.getByRole('button', { name: 'Forget token' }).click();
    await tried('401');
  });

  it('copies commands verbatim', async () => {
    const page = await shortReference({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
      await page.locator('pre.command').first().textContent(),
    );
  });

  it('begins with a link that skips the contents', async () => {
    const page = await shortReference();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' }).and(page.locator(':focus'));
    expect((await skip.boundingBox())?.x).to.be.at.least(0);
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
  });

  it('is a guide and a list of all operations without JavaScript', async () => {
    const { page } = await visit(`${service.url}/api/docs`, { javaScriptEnabled: false, viewport: sizes.phone });
    for (const name of [
      'Authenticate',
      'Create a zone',
      'Order rules',
      'Handle errors',
      'Page through lists',
      'Retry safely',
    ]) {
      expect(await page.getByRole('heading', { level: 2, name, exact: true }).isVisible(), name).to.equal(true);
    }
    expect(await page.locator('#operation-list li').count()).to.equal(operations.length);
    await page.getByRole('link', { name: 'the list of zones' }).click();
    expect(await page.locator('[id="/Zones/listZones"]').isVisible()).to.equal(true);
    expect(await page.locator('#credential').isVisible()).to.equal(false);
  });

  for (const [size, viewport] of Object.entries(sizes)) {
    it(`is legible and fits the screen, light and dark: ${size}`, async () => {
      const page = await shortReference({ viewport });
      expect(await excessWidth(page), 'at first').to.equal(0);
      await openOperation(page, 'Zones', 'listZones');
      expect(await excessWidth(page), 'with a list').to.equal(0);
      const operation = await openOperation(page, 'Zones', 'createZone');
      expect(await excessWidth(page), 'with an operation').to.equal(0);
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').waitFor();
      await operation.getByRole('tab', { name: 'Schema' }).first().click();
      expect(await page.evaluate(clippedSchemas), 'schemas that do not fit').to.equal(0);
      expect(await flawsOf(page)).to.deep.equal([]);
    });
  }

  it('has its contents collapsed above the text and expanded beside it, with links to every group of operations', async () => {
    const page = await shortReference({ viewport: sizes.phone }, '', groupPaths);
    const contents = page.getByRole('navigation');
    const link = contents.getByRole('link', { name: 'Zones', exact: true });
    expect(await link.isVisible()).to.equal(false);
    await page.getByText('Contents', { exact: true }).click();
    await link.click();
    expect(await link.isVisible()).to.equal(false);
    await page.setViewportSize(sizes.wide);
    await link.waitFor();
    const sections = openApi.tags.map(({ name }) => ({ name, id: `operations-tag-${name.replaceAll(' ', '_')}` }));
    for (const { name, id } of sections) {
      const target = await contents.getByRole('link', { name, exact: true }).getAttribute('href');
      expect(target).to.equal(`#/${encodeURIComponent(name)}`);
      expect(await page.locator(`[id="${id}"]`).count(), id).to.equal(1);
    }
    for (const { name, id } of [...sections.slice(-1), ...sections.slice(0, 1)]) {
      await contents.getByRole('link', { name, exact: true }).click();
      await inView(page, id);
    }
  });
});

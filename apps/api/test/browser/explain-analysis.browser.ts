import { cookieNames } from '@zonewright/api-description';
import { EdgeName, OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { anOriginServer, aRule, aVerifiedUser, aZone, type User, unique } from '../support/arrange.ts';
import { anEnrolledEdge, type EnrolledEdge } from '../support/edges.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { anHourOld } from '../support/signed-tokens.ts';
import { flawsOf } from './support/legibility.ts';
import { giveSession, type VisitOptions, visitor } from './support/visit.ts';

const visit = visitor();

const starting = (value: string) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'starts_with', value }],
});

const refreshTokenIn = async (page: Page): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === cookieNames.refreshToken)?.value ?? '';

describe('/explain, for the whole zone', () => {
  let service: MemoryService;
  let ada: User;
  let zone: Awaited<ReturnType<typeof aZone>>;

  before(async () => {
    service = await openMemoryService({ hostNameRules: { own: undefined, verification: 'off' } });
    ada = await aVerifiedUser(service);
    const { id } = await anOriginServer(ada);
    zone = await aZone(ada, { zone_settings: { defaultBackend: { type: 'origin_server', id } } });
    const settingsOverrides = { cachingDefaultTtl: 60 };
    await aRule(ada, zone, { name: 'Shop', conditions: starting('/shop/'), stopOnMatch: true, settingsOverrides });
    await aRule(ada, zone, { name: 'Cart', conditions: starting('/shop/cart'), settingsOverrides });
  });
  after(() => service.close());

  async function open(fragment = '', options: VisitOptions = {}): Promise<Page> {
    const { page } = await visit(`${service.url}/explain${fragment}`, { ...options, as: ada });
    await page.getByRole('heading', { name: 'Request', level: 2 }).waitFor();
    // Other tests add zones, and the page selects the first one by name.
    await page.getByLabel('Zone', { exact: true }).selectOption(zone.id);
    return page;
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 }).waitFor();
  const text = async (page: Page) =>
    (await page.getByRole('region', { name: 'Answer' }).innerText()).replace(/\s+/g, ' ');
  const sentence = 'No request reaches the rule “Cart”: the rule “Shop” stops every request that matches it.';

  it('shows findings, each next to its rule in the evaluation of its witness', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Find mistakes' }).click();
    await heading(page, 'One finding');
    expect(await text(page)).to.include(`mistake ${sentence}`);
    await page.getByRole('link', { name: 'See a request' }).click();
    await heading(page, 'Served');
    const step = page.locator('.step').filter({ hasText: 'Cart' }).filter({ hasText: sentence });
    await step.waitFor();
    expect(await step.innerText()).to.match(/after a stop/);
  });

  it('asks a busy service again when it says so, more than once', async () => {
    const page = await open();
    const busy = { status: 503, headers: { 'Retry-After': '1' }, json: {} };
    await page.route('**/findings?*', (route) => route.fulfill(busy), { times: 2 });
    await page.getByRole('button', { name: 'Find mistakes' }).click();
    await page.getByText('The service is busy with other analyses. Waiting…').waitFor();
    await heading(page, 'One finding');
  });

  it('compares revisions, and one request in both', async () => {
    const page = await open(`#${new URLSearchParams({ zone: zone.id, compare: '1..3' }).toString()}`);
    await heading(page, 'What is different');
    expect(await text(page)).to.match(/Exactly one kind of request .* cachingDefaultTtl .* After 60 \(“Shop”\)/);
    await page.getByRole('link', { name: 'See a request in both revisions' }).click();
    await page.locator('.side').nth(1).getByText('Revision 3').waitFor();
    expect(await page.locator('.side').first().innerText()).to.include('Revision 1');
    expect(new URL(page.url()).hash).to.include('both=1..3');
    await page.goBack();
    await heading(page, 'What is different');
  });

  it('checks, reviews and applies a change set, and resolves conflicts', async () => {
    const place = await aZone(ada, { zone_settings: { cachingDefaultTtl: 60 } });
    const sets = `/api/zones/${place.id}/change-sets`;
    const draft = async (title: string, cachingDefaultTtl: number) => {
      const reply = await ada.post(sets, { title, patch: { zone_settings: { cachingDefaultTtl } } });
      expect(reply.status, reply.text).to.equal(201);
    };
    await draft('Ten minutes', 600);
    await draft('One hour', 3600);
    const page = await open();
    await page.getByLabel('Zone', { exact: true }).selectOption(place.id);
    const look = async (title: string) => {
      await page.getByLabel('Open change set').selectOption({ label: title });
      await page.getByRole('button', { name: 'Show the change set' }).click();
    };
    await look('Ten minutes');
    await heading(page, 'What is different');
    expect(await text(page)).to.match(/Before 60 \(no rule\) After 600 \(no rule\)/);
    await heading(page, 'No findings');
    await page.getByRole('button', { name: 'Apply the change set' }).click();
    await page.getByText('Applied as revision 2.').waitFor();
    await look('One hour');
    await heading(page, 'In conflict with the zone');
    expect(await flawsOf(page)).to.deep.equal([]);
    await page.getByLabel('Use the version of the change set: 3600').check();
    await page.getByRole('button', { name: 'Settle' }).click();
    await page.getByText('Resolved. Show the change set again.').waitFor();
    await look('One hour');
    await page.getByRole('button', { name: 'Apply the change set' }).waitFor();
    await ada.patch(`/api/zones/${place.id}`, { zone_settings: { minifyHtml: true } });
    await page.getByRole('button', { name: 'Apply the change set' }).click();
    await page.getByText('The zone has changed in the meantime. Show the change set again.').waitFor();
  });

  it('counts the edges on which an applied change set is in effect, until all have it or reject it', async () => {
    const place = await aZone(ada, { hostnames: [`h${unique()}.example.com`] });
    const edges = await Promise.all(
      ['a', 'b', 'c'].map((letter) =>
        anEnrolledEdge(service, {
          name: EdgeName.parse(`edge-${letter}`),
          organizations: [OrganizationId.parse(ada.organization)],
        }),
      ),
    );
    const reason = { code: 'document.check', message: 'This version gives another answer than the service.' };
    /** Lets an edge read everything, and use or reject the zone. */
    const follow = async (edge: EnrolledEdge, isUsed = true) => {
      const { position, zones } = await edge.changes();
      const own = zones.filter(({ id }) => id === place.id).map(({ id, digest }) => ({ id, digest, ...reason }));
      const report = { position, zones: { applied: zones.length, rejected: isUsed ? [] : own } };
      expect((await edge.report(report)).status).to.equal(204);
    };
    const page = await open();
    const apply = async (title: string, cachingDefaultTtl: number) => {
      const draft = { title, patch: { zone_settings: { cachingDefaultTtl } } };
      expect((await ada.post(`/api/zones/${place.id}/change-sets`, draft)).status).to.equal(201);
      // The list of change sets is read when a zone is selected.
      await page.reload();
      await page.getByLabel('Zone', { exact: true }).selectOption(place.id);
      await page.getByLabel('Open change set').selectOption({ label: title });
      await page.getByRole('button', { name: 'Show the change set' }).click();
      await page.getByRole('button', { name: 'Apply the change set' }).click();
    };
    const shows = (sentence: string) => page.getByText(sentence, { exact: true }).waitFor();
    for (const edge of edges) await follow(edge);
    await apply('Two minutes', 120);
    await shows('In effect on 0 of 3 edges.');
    for (const edge of edges) await follow(edge);
    await shows('In effect on 3 of 3 edges.');
    expect(await page.getByRole('button', { name: 'Apply the change set' }).count()).to.equal(0);
    await apply('Three minutes', 180);
    for (const [index, edge] of edges.entries()) await follow(edge, index > 0);
    await shows(`In effect on 2 of 3 edges; 1 rejected it. edge-a: ${reason.message}`);
    expect(await flawsOf(page)).to.deep.equal([]);
  });

  it('renews its session once for all tabs whose requests are refused', async () => {
    const grace = await aVerifiedUser(service);
    const { page, calls } = await visit(`${service.url}/explain`, {
      as: { ...grace, token: anHourOld(grace.token, service) },
    });
    const other = await page.context().newPage();
    await other.goto(`${service.url}/explain`);
    for (const tab of [page, other]) await heading(tab, 'Request');
    await giveSession(page, {
      ...grace,
      token: anHourOld(grace.token, service),
      refreshToken: await refreshTokenIn(page),
    });
    calls.splice(0);
    await Promise.all([page.reload(), other.reload()]);
    for (const tab of [page, other]) await heading(tab, 'Request');
    await other.close();
    expect((await grace.get('/api/users/me')).status).to.equal(200);
    const notices = service.inTables(({ outbox }) => [...outbox.values()].flatMap(({ notice }) => notice ?? []));
    expect(notices).not.to.include('sessions-ended-after-reuse');
  });

  for (const [size, viewport] of [
    ['phone', { width: 390, height: 844 }],
    ['wide', { width: 1440, height: 900 }],
  ] as const) {
    it(`is legible and fits the screen, light and dark: ${size}`, async () => {
      const page = await open('', { viewport });
      await page.getByRole('button', { name: 'Find mistakes' }).click();
      await heading(page, 'One finding');
      expect(await flawsOf(page)).to.deep.equal([]);
      await page.getByLabel('From revision').fill('1');
      await page.getByLabel('To revision').fill('3');
      await page.getByRole('button', { name: 'Compare revisions' }).click();
      await heading(page, 'What is different');
      expect(await flawsOf(page)).to.deep.equal([]);
      await page.getByRole('link', { name: 'See a request in both revisions' }).click();
      await page.locator('.side').nth(1).getByText('Revision 3').waitFor();
      expect(await flawsOf(page)).to.deep.equal([]);
    });
  }
});

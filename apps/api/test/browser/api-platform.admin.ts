import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aVerifiedUser, aZone, type User, unique } from '../support/arrange.ts';
import { openService, type TestService } from '../support/service.ts';
import { type AdminServer, serveAdmin } from './admin/server.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

interface Named {
  readonly name: string;
}

/** Fills in the fields of a new item except its name. */
type Choose = (page: Page, user: User) => Promise<void>;

/** The menu entry and form fields of each resource in the front end. */
const resources: readonly { readonly path: string; readonly menu: string; readonly choose: Choose }[] = [
  {
    path: '/api/zones',
    menu: 'Zones',
    choose: async (page, { organization }) => {
      await page.getByRole('combobox', { name: 'Organization' }).click();
      await page.getByRole('option', { name: `/api/organizations/${organization}` }).click();
    },
  },
  { path: '/api/organizations', menu: 'Organizations', choose: async () => {} },
];

const retryMilliseconds = 2000;

describe('The admin front end of API Platform', () => {
  let admin: AdminServer;
  let service: TestService;
  let ada: User;

  before(async function () {
    // It is downloaded the first time.
    this.timeout(300_000);
    admin = await serveAdmin();
    service = await openService({ corsOrigins: [admin.url] });
    ada = await aVerifiedUser(service);
  });
  after(async () => {
    await service.close();
    await admin.close();
  });

  /** Opens the list of a resource through the menu. */
  const open = async (menu: string): Promise<Page> => {
    const query = new URLSearchParams({ entrypoint: `${service.url}/api`, token: ada.token });
    const { page } = await visit(`${admin.url}/?${query.toString()}`, { viewport: { width: 1600, height: 1000 } });
    await page.getByRole('menuitem', { name: menu }).click();
    return page;
  };

  const namesAt = async (path: string): Promise<readonly string[]> =>
    ((await ada.get(path)).json() as readonly Named[]).map(({ name }) => name);

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const create = async (page: Page, name: string) => {
    await page.getByRole('link', { name: 'Create' }).click();
    await field(page, 'Name').fill(name);
  };

  it('navigates from the entrypoint to every list', async () => {
    const page = await open('Zones');
    const menu = await page.getByRole('menuitem').allTextContents();
    expect(menu).to.deep.equal([
      'Users/me/audit-logs',
      'Api-tokens',
      'Users/me/providers',
      'Organizations',
      'Users/me/passkeys',
      'Users/me/sessions',
      'Auth/providers',
      'Zones',
    ]);
  });

  /** Opens the edit form of an item, which reads the item. */
  const edit = async (page: Page, path: string, name: string): Promise<void> => {
    const read = page.waitForResponse(
      (response) => response.request().method() === 'GET' && new URL(response.url()).pathname.startsWith(`${path}/`),
    );
    await row(page, name).getByRole('link', { name: 'Edit' }).click();
    await read;
  };

  /** The form discards input typed before the item has been reloaded. */
  const rename = async (page: Page, name: string): Promise<void> => {
    const save = page.getByRole('button', { name: 'Save' });
    let isSaved = false;
    while (!isSaved) {
      await field(page, 'Name').fill(name);
      isSaved = await save.click({ timeout: retryMilliseconds }).then(
        () => true,
        () => false,
      );
    }
  };

  for (const { path, menu, choose } of resources) {
    it(`lists, creates, edits and deletes ${menu.toLowerCase()}`, async () => {
      const [first, second] = [`first-${unique()}`, `second-${unique()}`];
      const page = await open(menu);

      await create(page, first);
      await choose(page, ada);
      await press(page, 'Save');
      await row(page, first).waitFor();
      expect(await namesAt(path)).to.include(first);

      await edit(page, path, first);
      await rename(page, second);
      await row(page, second).waitFor();
      expect(await namesAt(path))
        .to.include(second)
        .and.not.to.include(first);

      await edit(page, path, second);
      await press(page, 'Delete');
      const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await press(page, 'Confirm');
      expect((await deleted).status()).to.equal(204);
      await page.getByRole('link', { name: 'Create' }).waitFor();
      await row(page, second).waitFor({ state: 'detached' });
      expect(await namesAt(path)).not.to.include(second);
    });
  }

  const settingsOf = async (name: string): Promise<object | undefined> =>
    ((await ada.get('/api/zones')).json() as readonly (Named & { readonly zone_settings: object })[]).find(
      (zone) => zone.name === name,
    )?.zone_settings;

  it('shows the settings of a zone and changes one of them', async () => {
    const { name } = await aZone(ada, { zone_settings: { backendPortOverride: 8443, cachingDefaultTtl: 77_777 } });
    const before = await settingsOf(name);
    const page = await open('Zones');
    await edit(page, '/api/zones', name);
    await page.locator('input[value="77777"]').waitFor();
    const inputs = await page.locator('form input, form textarea').all();
    const values = await Promise.all(inputs.map((input) => input.inputValue()));
    expect(values).to.include('8443');
    expect(values.join(' ')).not.to.include('[object');
    await page.getByRole('link', { name: 'Show' }).click();
    await page.getByText('77,777').waitFor();
    expect(await page.locator('main').innerText())
      .to.match(/Zone settings backend port override\s+8,443\n/)
      .and.not.to.include('[object');

    await page.getByRole('link', { name: 'Edit' }).click();
    await field(page, 'Name').waitFor();
    await page.getByLabel('Zone settings backend port override').fill('9443');
    await press(page, 'Save');
    await row(page, name).filter({ hasText: '9,443' }).waitFor();
    expect(await settingsOf(name)).to.deep.equal({ ...before, backendPortOverride: 9443 });
  });

  it('applies the default settings to a new zone', async () => {
    const [name, { name: other }] = [`new-${unique()}`, await aZone(ada)];
    const page = await open('Zones');
    await create(page, name);
    await press(page, 'Save');
    await row(page, name).waitFor();
    expect(await settingsOf(name)).to.deep.equal(await settingsOf(other));
  });

  it('shows errors at their fields', async () => {
    const { name } = await aZone(ada);
    const page = await open('Zones');
    await create(page, name);
    await press(page, 'Save');
    const reported = page.getByText('A zone with this name and tag exists in the organization.');
    await reported.waitFor();
    const described = await field(page, 'Name').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).to.equal(await reported.textContent());
  });
});

import { expect } from 'chai';
import getPort from 'get-port';
import type { Page } from 'playwright-core';
import { aVerifiedUser, type User } from '../support/arrange.ts';
import { changeRows, type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { withAuthenticator } from './support/authenticator.ts';
import { openBrowser } from './support/chromium.ts';
import { flawsOf } from './support/legibility.ts';
import { signIn } from './support/sign-in.ts';
import { giveSession } from './support/visit.ts';

describe('Passkeys on the pages', () => {
  let service: MemoryService;
  let page: Page;
  let ada: User;

  before(async () => {
    // Browsers know no passkeys of addresses that are numbers.
    const port = await getPort({ host: '127.0.0.1' });
    service = await openMemoryService({ port, publicBaseUrl: `http://localhost:${port}` });
    ada = await aVerifiedUser(service);
    page = await (await (await openBrowser()).newContext()).newPage();
    page.setDefaultTimeout(15_000);
    await withAuthenticator(page);
  });
  after(async () => {
    await page.context().close();
    await service.close();
  });

  const isSignedIn = () => page.getByText('You are signed in as Ada Lovelace.').waitFor();
  const signOut = () =>
    Promise.all([
      // Only briefly, where a passkey is filled in. Until then the page says that one is signed in.
      page.waitForURL('**/sign-in*', { waitUntil: 'commit' }),
      page.getByRole('button', { name: 'Sign out' }).click(),
    ]);
  const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

  it('adds one, signs in with it where the address is filled in, and by its button', async () => {
    await giveSession(page, { ...ada, url: service.url });
    await page.goto(`${service.url}/profile`);
    await isSignedIn();
    await page.locator('#passkey-name').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
    await said('The passkey was added.');
    await signOut();
    // The browser fills in the only passkey by itself, as its user would choose it.
    await isSignedIn();
    await page.route('**/api/auth/passkey/options', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isSignedIn();
  });

  it('answers the challenge of a password, and whether it is still you', async () => {
    await page.route('**/api/auth/passkey/options', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await signOut();
    await signIn(page, ada.email);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await isSignedIn();
    service.inTables(({ sessions }) => changeRows(sessions, () => true, { confirmedAt: new Date(0) }));
    await page.locator('#address-email').fill('ada@new.example');
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.locator('#address-sent').filter({ hasText: 'We have sent a link' }).waitFor();
  });

  it('tells the owner of a blocked account to ask the operator, not to confirm an address', async () => {
    const setActive = (active: boolean) => service.inTables(({ users }) => changeRows(users, () => true, { active }));
    setActive(false);
    await page.goto(`${service.url}/sign-in`);
    await page.getByRole('alert').filter({ hasText: 'Ask the operator of this service.' }).waitFor();
    setActive(true);
    await page.goto(`${service.url}/profile`);
    await isSignedIn();
  });

  it('renames and deletes one', async () => {
    await page.getByRole('button', { name: 'Rename: Laptop' }).click();
    await page.locator('#rename-name:focus').fill('My laptop');
    await page.keyboard.press('Enter');
    await said('The passkey has a new name.');
    expect(await flawsOf(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Delete: My laptop' }).click();
    await page.getByRole('button', { name: 'Delete for good? My laptop' }).click();
    await said('The passkey was deleted.');
    await page.getByText('You have no passkey yet.').waitFor();
  });
});

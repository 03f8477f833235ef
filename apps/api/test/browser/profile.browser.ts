import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { anApiToken, aVerifiedUser, aZone, logIn, password, type User } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { changeRows, type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { codeOf } from '../support/two-factor.ts';
import { flawsOf } from './support/legibility.ts';
import { type VisitOptions, visitor } from './support/visit.ts';

const visit = visitor();

const sizes = { phone: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } };

describe('/profile', () => {
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  async function open(as: User, options: VisitOptions = {}): Promise<Page> {
    const { page } = await visit(`${service.url}/profile`, { ...options, as });
    await page.getByText('You are signed in as').waitFor();
    return page;
  }

  const section = (page: Page, name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name }) });
  const forgetConfirmations = () =>
    service.inTables(({ sessions }) => changeRows(sessions, () => true, { confirmedAt: new Date(0) }));

  it('leads visitors without a session to the page to sign in, and signs out', async () => {
    const { page } = await visit(`${service.url}/profile`);
    await page.waitForURL('**/sign-in');
    const ada = await aVerifiedUser(service);
    const own = await open(ada);
    await own.getByRole('button', { name: 'Sign out' }).click();
    await own.waitForURL('**/sign-in');
    expect((await ada.get('/api/users/me')).status).to.equal(401);
  });

  it('sets up two factors by keyboard, with a QR code and recovery codes', async () => {
    const ada = await aVerifiedUser(service);
    const page = await open(ada);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).press('Enter');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    const dots = await page.evaluate(`[...document.querySelector('canvas').getContext('2d')
      .getImageData(0, 0, 60, 60).data].filter((value) => value === 0).length`);
    expect(dots).to.be.greaterThan(100);
    const secret = (await page.locator('#setup-secret').innerText()).replaceAll(' ', '');
    await page.locator('#setup-code').fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Your recovery codes' }).and(page.locator(':focus')).waitFor();
    const codes = await page.locator('#recovery-codes li').allInnerTexts();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('h1, h2, p, button, li').filter({ visible: true }).allInnerTexts()).to.include.members([
      'Two-factor authentication',
      ...codes,
    ]);
    expect(await page.getByRole('button').filter({ visible: true }).count()).to.equal(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('New recovery codes', { exact: true }).click();
    await page.locator('#new-codes-code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Show new recovery codes' }).click();
    await page.locator('#recovery-codes li').first().waitFor();
    const renewed = await page.locator('#recovery-codes li').allInnerTexts();
    expect(renewed).not.to.include(codes[0]);
    forgetConfirmations();
    await page.getByLabel('New address').fill('ada@code.example');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
    await page.locator('#confirm-code').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'That is not right.' }).waitFor();
    await page.locator('#confirm-code').fill(renewed[0] ?? '');
    await page.getByRole('button', { name: 'Confirm with the code' }).press('Enter');
    await page.locator('#address-sent').filter({ hasText: 'We have sent a link to the new address.' }).waitFor();
  });

  it('asks whether it is still you, and changes the address only then', async () => {
    const ada = await aVerifiedUser(service);
    const page = await open(ada);
    forgetConfirmations();
    const change = async () => {
      await page.getByLabel('New address').fill('ada@new.example');
      await page.getByRole('button', { name: 'Change the address' }).click();
      await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
    };
    await change();
    expect(await flawsOf(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.getByRole('alert').filter({ hasText: 'Nothing has changed' }).waitFor();
    await change();
    await page.locator('#confirm-password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'That is not right.' }).waitFor();
    await page.locator('#confirm-password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('#address-sent').filter({ hasText: 'We have sent a link to the new address.' }).waitFor();
  });

  it('changes the password, and ends sessions', async () => {
    const ada = await aVerifiedUser(service);
    const others = [await logIn(service, ada), await logIn(service, ada)];
    const page = await open(ada);
    const sessions = section(page, 'Sessions');
    await sessions.getByRole('button', { name: 'End: ' }).first().click();
    await page.getByRole('status').filter({ hasText: 'The session was ended.' }).waitFor();
    await sessions.getByRole('button', { name: 'End all other sessions' }).click();
    await page.locator('h2:focus').filter({ hasText: 'Sessions' }).waitFor();
    expect(await sessions.getByRole('listitem').count()).to.equal(1);
    for (const { token } of others) {
      expect((await clientOf(service.url, { authorization: `Bearer ${token}` }).get('/api/users/me')).status).to.equal(
        401,
      );
    }
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password', { exact: true }).fill('Even-Better-Horse-8');
    await page.getByLabel('New password again').fill('Even-Better-Horse-8');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.locator('#password-currentPassword:focus').waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your password is changed.').waitFor();
  });

  it('creates a token with permissions, shows it once, and revokes it', async () => {
    const ada = await aVerifiedUser(service);
    const page = await open(ada);
    const tokens = section(page, 'API tokens');
    await tokens.getByText('Create a token').click();
    await tokens.getByLabel('Name').fill('deploy');
    await tokens.getByLabel('Change rules').check();
    await tokens.getByLabel('Networks').fill('nonsense');
    await tokens.getByRole('button', { name: 'Create the token' }).click();
    await page.locator('#token-networks:focus').waitFor();
    await tokens.getByLabel('Networks').fill('192.0.2.0/24, 198.51.100.7');
    await tokens.getByRole('button', { name: 'Create the token' }).click();
    await tokens.getByRole('group', { name: 'The new token' }).and(page.locator(':focus')).waitFor();
    expect(await page.locator('#token-value').innerText()).to.match(/^zw_/);
    const facts = 'zones:read, rules:write · from 192.0.2.0/24, 198.51.100.7 · never used';
    expect(await tokens.getByRole('listitem').innerText()).to.include(facts);
    await tokens.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.locator('#token-value').textContent()).to.equal('');
    await tokens.getByRole('button', { name: 'Revoke: deploy' }).click();
    await tokens.getByRole('button', { name: 'Revoke for good? deploy' }).click();
    await tokens.getByText('deploy (no longer valid)').waitFor();
  });

  it('limits a token to zones, which are found by name and chosen by keyboard', async () => {
    const ada = await aVerifiedUser(service);
    for (let number = 10; number <= 30; number += 1) await aZone(ada, { name: `site-${number}` });
    const page = await open(ada);
    const tokens = section(page, 'API tokens');
    await tokens.getByText('Create a token').press('Enter');
    await tokens.getByText('The first 20 of 21 zones.').waitFor();
    await tokens.getByLabel('site-12').press('Space');
    await tokens.getByLabel('Find a zone').fill('e-30');
    await tokens.getByLabel('site-30').press('Space');
    expect(await page.locator('#token-zone-list label').allInnerTexts()).to.deep.equal([
      'site-12 prod',
      'site-30 prod',
    ]);
    // The field does not submit the form.
    await tokens.getByLabel('Find a zone').press('Enter');
    await tokens.getByLabel('Name').fill('two sites');
    await page.keyboard.press('Enter');
    await tokens.getByRole('group', { name: 'The new token' }).and(page.locator(':focus')).waitFor();
    expect(await tokens.getByRole('listitem').innerText()).to.include('zones:read · 2 zones');
    const client = clientOf(service.url, { 'x-api-token': await page.locator('#token-value').innerText() });
    const names = ((await client.get('/api/zones?order[name]=asc')).json() as { name: string }[]).map(
      ({ name }) => name,
    );
    expect(names).to.deep.equal(['site-12', 'site-30']);
    expect(await tokens.getByRole('checkbox', { name: 'site', checked: true }).count()).to.equal(0);
  });

  for (const [size, viewport] of Object.entries(sizes)) {
    it(`is legible and fits the screen, light and dark: ${size}`, async () => {
      const ada = await aVerifiedUser(service);
      await anApiToken(ada, { name: 'a'.repeat(80) });
      const page = await open(ada, { viewport });
      await page.locator('#log-list li').first().waitFor();
      expect(await page.locator('#log-list').innerText()).to.not.include('Session refreshed');
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
      await page.locator('#setup-secret').waitFor();
      for (const summary of await page.locator('summary').filter({ visible: true }).all()) await summary.click();
      expect(await flawsOf(page)).to.deep.equal([]);
    });
  }
});

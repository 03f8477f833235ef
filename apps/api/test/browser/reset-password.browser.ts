import { expect } from 'chai';
import { anApiToken, aVerifiedUser, logIn, type User } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { expireTokens, mailedLink } from './support/links.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

const path = '/reset-password';
const newPassword = 'Even-Better-Horse-8';

describe('/reset-password', () => {
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  async function someoneWithLink(): Promise<{ readonly user: User; readonly link: string }> {
    const user = await aVerifiedUser(service);
    await clientOf(service.url).post('/api/auth/forgot-password', { email: user.email });
    return { user, link: await mailedLink(service, user.email, path) };
  }

  it('changes the password by keyboard only', async () => {
    const { user, link } = await someoneWithLink();
    const { page } = await visit(link);
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Set the new password' }).waitFor();
    await keyboard.press('Tab');
    await page.getByRole('link', { name: 'Zonewright' }).and(page.locator(':focus')).waitFor();
    await keyboard.press('Tab');
    await keyboard.type(newPassword);
    await keyboard.press('Tab');
    await keyboard.type(newPassword);
    await keyboard.press('Tab');
    await keyboard.press('Space');
    expect(await page.getByLabel('New password', { exact: true }).getAttribute('type')).to.equal('text');
    await keyboard.press('Space');
    expect(await page.getByLabel('New password again').getAttribute('type')).to.equal('password');
    await keyboard.press('Tab');
    await page.getByLabel('Also revoke all my API tokens').and(page.locator(':focus')).waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('h2:focus').filter({ hasText: 'Your password is changed' }).waitFor();
    await logIn(service, { email: user.email, password: newPassword });
  });

  it('names the API tokens that stay valid, unless they are revoked as well', async () => {
    for (const isChosen of [false, true]) {
      const { user, link } = await someoneWithLink();
      const { plainToken } = await anApiToken(user, { name: 'Deployment' });
      const { page } = await visit(link);
      await page.getByLabel('New password', { exact: true }).fill(newPassword);
      await page.getByLabel('New password again').fill(newPassword);
      await page.getByLabel('Also revoke all my API tokens').setChecked(isChosen);
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
      expect(await page.getByRole('listitem').allTextContents()).to.deep.equal(isChosen ? [] : ['Deployment']);
      const { status } = await clientOf(service.url, { 'x-api-token': plainToken }).get('/api/users/me');
      expect(status).to.equal(isChosen ? 401 : 200);
    }
  });

  it('removes the token from the address bar and sends no request when it is opened', async () => {
    const { page, calls } = await visit(`${service.url}${path}#token=secret`);
    await page.getByRole('button', { name: 'Set the new password' }).waitFor();
    expect(page.url()).to.equal(`${service.url}${path}`);
    expect(calls).to.deep.equal([]);
  });

  it('shows the violated password rules at the field without using up the token', async () => {
    const { page } = await visit((await someoneWithLink()).link);
    const password = page.getByLabel('New password', { exact: true });
    await password.fill('short');
    await page.getByLabel('New password again').fill('short');
    await page.getByRole('button').click();
    await page.locator('#choose-password-error').filter({ hasText: 'at least 8 characters' }).waitFor();
    expect(await page.locator('#choose-password-error').textContent()).to.equal(
      [
        'This value should have at least 8 characters.',
        'This value should contain an uppercase letter.',
        'This value should contain a digit.',
      ].join('\n'),
    );
    expect(await password.getAttribute('aria-invalid')).to.equal('true');
    expect(await page.locator('input:focus').getAttribute('name')).to.equal('password');
    await password.fill(newPassword);
    await page.getByLabel('New password again').fill(newPassword);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  });

  it('reports mismatched passwords and empty fields without a request', async () => {
    const { page, calls } = await visit(`${service.url}${path}#token=any`);
    await page.getByRole('button').click();
    await page.locator('#choose-password-error').filter({ hasText: 'This field is required.' }).waitFor();
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('New password again').fill(`${newPassword} `);
    await page.getByRole('button').click();
    await page.locator('#choose-repetition-error').filter({ hasText: 'The passwords do not match.' }).waitFor();
    expect(await page.locator('#choose-password-error').textContent()).to.equal('');
    expect(calls).to.deep.equal([]);
  });

  it('offers a new link when the current one has expired', async () => {
    const { user, link } = await someoneWithLink();
    expireTokens(service, user.email);
    const { page } = await visit(link);
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('New password again').fill(newPassword);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByLabel('E-mail address').fill(user.email);
    await page.getByRole('button', { name: 'Send me a new link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await mailedLink(service, user.email, path);
  });

  it('shows errors in the address at its field', async () => {
    const { page } = await visit(`${service.url}${path}`);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByLabel('E-mail address').fill('nobody');
    await page.getByRole('button', { name: 'Send me a new link' }).click();
    await page.locator('#forgot-email-error').filter({ hasText: 'not a valid e-mail address' }).waitFor();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aVerifiedUser, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { aTwoFactorUser, codeOf, wrongCodeFor } from '../support/two-factor.ts';
import { signIn } from './support/sign-in.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

const path = '/sign-in';
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const alerted = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

describe('/sign-in', () => {
  let service: MemoryService;
  let ada: User;
  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  it('signs in by keyboard only, and goes to the profile', async () => {
    const { page } = await visit(`${service.url}${path}`);
    const { keyboard } = page;
    await heading(page, 'With your password');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type(ada.email);
    await keyboard.press('Tab');
    await keyboard.type('wrong');
    await keyboard.press('Enter');
    await alerted(page, 'The e-mail address or the password is wrong.');
    expect(await page.locator('#sign-in-email').inputValue()).to.equal(ada.email);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(ada.password);
    await keyboard.press('Enter');
    await page.getByText('You are signed in as Ada Lovelace.').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/profile');
    expect(await page.evaluate('document.cookie')).to.equal('');
  });

  it('asks for the code of an account that has two factors, until the challenge is over', async () => {
    const user = await aTwoFactorUser(service);
    const { page } = await visit(`${service.url}${path}?returnTo=/verify-email`);
    await signIn(page, user.email);
    await page.locator('h2:focus').filter({ hasText: 'One more step' }).waitFor();
    const answer = async (code: string) => {
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await answer(wrongCodeFor(user.secret));
    await page.locator('#code-code[aria-invalid]:focus').waitFor();
    await page.context().clearCookies();
    await answer(codeOf(user.secret));
    await alerted(page, 'That took too long.');
    await signIn(page, user.email);
    await answer(codeOf(user.secret));
    await page.waitForURL('**/verify-email');
  });

  it('does not return to other services', async () => {
    const { page } = await visit(`${service.url}${path}?returnTo=//example.com/`, { as: ada });
    await page.waitForURL(`${service.url}/profile`);
  });

  it('tells people who come back from a provider what has happened', async () => {
    const { page } = await visit(`${service.url}${path}#problem=account-exists`);
    await alerted(page, 'Sign in as you did before');
    expect(page.url()).to.equal(`${service.url}${path}`);
    await page.evaluate("location.hash = 'problem=constructor'");
    await alerted(page, 'That did not work.');
    await page.evaluate("location.hash = 'challenge'");
    await page.getByLabel('Code').waitFor();
  });

  it('leaves people signed in who could not connect a provider', async () => {
    const { page } = await visit(`${service.url}${path}#problem=identity-taken`, { as: ada });
    await heading(page, 'The provider was not connected');
    await page.getByText('That identity is connected to another account.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/profile`);
  });
});

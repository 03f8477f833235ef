import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aRegistration, aVerifiedUser, password, type User } from '../support/arrange.ts';
import { openService, type TestService } from '../support/service.ts';
import { enableTwoFactor } from '../support/two-factor.ts';
import { mailedLink } from './support/links.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

const path = '/accept-invitation';

async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('#sign-in-email').fill(email);
  await page.locator('#sign-in-password').fill(password);
  await page.getByRole('button', { name: 'Sign in and accept' }).click();
}

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor();

describe('/accept-invitation', () => {
  let service: TestService;
  let owner: User;
  before(async () => {
    service = await openService();
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  async function invitationFor(email: string): Promise<string> {
    const reply = await owner.post(`/api/organizations/${owner.organization}/invitations`, { email, role: 'editor' });
    expect(reply.status, reply.text).to.equal(201);
    return mailedLink(service, email, path);
  }

  const isMember = async (email: string): Promise<boolean> => {
    const { member } = await service.database.one<{ member: boolean }>(
      `SELECT EXISTS (SELECT FROM memberships JOIN users ON users.id = user_id
                      WHERE email = $1 AND organization_id = $2) AS member`,
      [email, owner.organization],
    );
    return member;
  };

  it('accepts for a user who signs in, and ends the session', async () => {
    const { email } = await aVerifiedUser(service);
    const { page } = await visit(await invitationFor(email));
    const signedOut = page.waitForResponse('**/api/auth/logout');
    await signIn(page, email);
    await heading(page, 'You have joined the organization');
    expect(await isMember(email)).to.equal(true);
    expect((await signedOut).status()).to.equal(200);
    expect(await page.context().storageState()).to.deep.equal({ cookies: [], origins: [] });
  });

  it('removes the token from the address bar and sends no request when it is opened', async () => {
    const { page, calls } = await visit(`${service.url}${path}#token=secret`);
    await heading(page, 'Sign in to accept');
    expect(page.url()).to.equal(`${service.url}${path}`);
    expect(calls).to.deep.equal([]);
  });

  it('asks for the second factor of an account that has one', async () => {
    const user = await aVerifiedUser(service);
    const { recoveryCodes } = await enableTwoFactor(service, user);
    const { page } = await visit(await invitationFor(user.email));
    await signIn(page, user.email);
    await heading(page, 'Enter your code');
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await page.locator('#code-code-error').filter({ hasText: 'The verification code is not valid.' }).waitFor();
    await page.getByLabel('Code').fill(recoveryCodes[0]!);
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await heading(page, 'You have joined the organization');
    expect(await isMember(user.email)).to.equal(true);
  });

  it('lets a user without an account register, verify the address and come back', async () => {
    const { email, firstName, lastName } = aRegistration();
    const { page } = await visit(await invitationFor(email));
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.locator('#register-firstName').fill(firstName);
    await page.locator('#register-lastName').fill(lastName);
    await page.locator('#register-email').fill(email);
    await page.locator('#register-password').fill('weak');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.locator('#register-password-error').filter({ hasText: 'at least 8 characters' }).waitFor();
    await page.locator('#register-password').fill(password);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await heading(page, 'Check your e-mail');
    await page.getByRole('button', { name: 'My address is confirmed: sign in' }).click();
    await signIn(page, email);
    await heading(page, 'Your account is not active');
    const { page: other } = await visit(await mailedLink(service, email, '/verify-email'));
    await other.getByRole('button').click();
    await heading(other, 'Your e-mail address is confirmed');
    await page.getByRole('button', { name: 'My address is confirmed: sign in' }).click();
    await signIn(page, email);
    await heading(page, 'You have joined the organization');
    expect(await isMember(email)).to.equal(true);
  });

  it('sends another link when the address is not verified', async () => {
    const { email } = await aVerifiedUser(service);
    await service.database.none('UPDATE users SET email_verified_at = NULL WHERE email = $1', [email]);
    const { page } = await visit(`${service.url}${path}#token=any`);
    await signIn(page, email);
    await heading(page, 'Your account is not active');
    await page.getByRole('button', { name: 'Send me a new link' }).click();
    await heading(page, 'Check your e-mail');
    await mailedLink(service, email, '/verify-email');
  });

  it('rejects an account with another address, and then accepts the right one', async () => {
    const [invited, other] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    const { page } = await visit(await invitationFor(invited.email));
    await signIn(page, other.email);
    await heading(page, 'This invitation is for another address');
    expect(await isMember(other.email)).to.equal(false);
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await signIn(page, invited.email);
    await heading(page, 'You have joined the organization');
  });

  it('reports a revoked or expired invitation', async () => {
    const { email } = await aVerifiedUser(service);
    const link = await invitationFor(email);
    await service.database.none("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE email = $1", [
      email,
    ]);
    const { page } = await visit(link);
    await signIn(page, email);
    await heading(page, 'This invitation does not work');
  });

  it('reports wrong credentials and keeps the form', async () => {
    const { page } = await visit(`${service.url}${path}#token=any`);
    await signIn(page, 'nobody@example.com');
    await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' }).waitFor();
    expect(await page.locator('#sign-in-email').inputValue()).to.equal('nobody@example.com');
  });

  it('accepts at the second attempt when the connection was lost after signing in', async () => {
    const { email } = await aVerifiedUser(service);
    const { page, calls } = await visit(await invitationFor(email));
    await page.route('**/api/invitations/accept', (route) => route.abort());
    await signIn(page, email);
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
    await page.unroute('**/api/invitations/accept');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'You have joined the organization');
    expect(calls.filter((call) => call === '/api/auth/login')).to.have.length(1);
  });

  it('asks to sign in again when the session has ended meanwhile', async () => {
    const { email } = await aVerifiedUser(service);
    const { page } = await visit(await invitationFor(email));
    await page.route('**/api/invitations/accept', (route) => route.fulfill({ status: 401, json: {} }));
    await signIn(page, email);
    await page.getByRole('alert').filter({ hasText: 'Please sign in again.' }).waitFor();
    await page.unroute('**/api/invitations/accept');
    await signIn(page, email);
    await heading(page, 'You have joined the organization');
  });

  it('asks to sign in again when the challenge has expired', async () => {
    const { page } = await visit(`${service.url}${path}#token=any`);
    const json = { mfaRequired: true, challengeToken: 'ended' };
    await page.route('**/api/auth/login', (route) => route.fulfill({ json }));
    await signIn(page, 'someone@example.com');
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await page.getByRole('alert').filter({ hasText: 'Please sign in again.' }).waitFor();
  });

  it('reports a link without a token', async () => {
    const { page } = await visit(`${service.url}${path}`);
    await heading(page, 'This invitation does not work');
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aRegistration, aVerifiedUser, password, type User } from '../support/arrange.ts';
import { changeRows, type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { enableTwoFactor } from '../support/two-factor.ts';
import { mailedLink } from './support/links.ts';
import { signIn } from './support/sign-in.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

const path = '/accept-invitation';

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor();

describe('/accept-invitation', () => {
  let service: MemoryService;
  let owner: User;
  before(async () => {
    service = await openMemoryService();
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  async function invitationFor(email: string): Promise<string> {
    const reply = await owner.post(`/api/organizations/${owner.organization}/invitations`, { email, role: 'editor' });
    expect(reply.status, reply.text).to.equal(201);
    return mailedLink(service, email, path);
  }

  const isMember = async (email: string): Promise<boolean> => {
    const id = service.inTables(({ users }) => [...users.values()].find((user) => user.email === email)?.id);
    return (await owner.get(`/api/organizations/${owner.organization}/members/${id}`)).status === 200;
  };

  const accept = (page: Page) => page.getByRole('button', { name: 'Accept the invitation' }).click();

  it('accepts for a user who has signed in', async () => {
    const user = await aVerifiedUser(service);
    const { page } = await visit(await invitationFor(user.email), { as: user });
    await accept(page);
    await heading(page, 'You have joined the organization');
    expect(await isMember(user.email)).to.equal(true);
  });

  it('removes the token from the address bar and sends no request when it is opened', async () => {
    const { page, calls } = await visit(`${service.url}${path}#token=secret`);
    await heading(page, 'You have been invited');
    expect(page.url()).to.equal(`${service.url}${path}`);
    expect(calls).to.deep.equal([]);
  });

  it('asks to sign in, and accepts after it', async () => {
    const user = await aVerifiedUser(service);
    const { recoveryCodes } = await enableTwoFactor(service, user);
    const { page } = await visit(await invitationFor(user.email));
    await accept(page);
    await signIn(page, user.email);
    await heading(page, 'One more step');
    await page.getByLabel('Code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(page, 'You have joined the organization');
    expect(await isMember(user.email)).to.equal(true);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('leads a new user from the registration to the membership', async () => {
    const { email, firstName, lastName } = aRegistration();
    const { page } = await visit(await invitationFor(email));
    await accept(page);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.locator('#register-firstName').fill(firstName);
    await page.locator('#register-lastName').fill(lastName);
    await page.locator('#register-email').fill(email);
    await page.locator('#register-password').fill('short');
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

  it('rejects an account with another address, and then accepts the right one', async () => {
    const [invited, other] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    const { page } = await visit(await invitationFor(invited.email), { as: other });
    await accept(page);
    await heading(page, 'This invitation is for another address');
    expect(await isMember(other.email)).to.equal(false);
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await signIn(page, invited.email);
    await heading(page, 'You have joined the organization');
  });

  it('reports a revoked or expired invitation', async () => {
    const user = await aVerifiedUser(service);
    const link = await invitationFor(user.email);
    service.inTables(({ invitations }) =>
      changeRows(invitations, ({ email }) => email === user.email, { expiresAt: new Date(0) }),
    );
    const { page } = await visit(link, { as: user });
    await accept(page);
    await heading(page, 'This invitation does not work');
  });

  it('accepts at the second attempt when the connection was lost', async () => {
    const user = await aVerifiedUser(service);
    const { page } = await visit(await invitationFor(user.email), { as: user });
    await page.route('**/api/invitations/accept', (route) => route.abort());
    await accept(page);
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
    await page.unroute('**/api/invitations/accept');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'You have joined the organization');
  });

  it('reports a link without a token', async () => {
    const { page } = await visit(`${service.url}${path}`);
    await heading(page, 'This invitation does not work');
  });
});

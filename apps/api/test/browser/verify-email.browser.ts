import { expect } from 'chai';
import { aRegisteredUser } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { expireTokens, mailedLink } from './support/links.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

const path = '/verify-email';
const confirm = { name: 'Confirm my e-mail address' };

describe('/verify-email', () => {
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  const isVerified = (address: string) =>
    service.inTables(({ users }) => [...users.values()].find(({ email }) => email === address)?.emailVerified);

  it('verifies the address when the button is pressed', async () => {
    const { email } = await aRegisteredUser(service);
    const { page } = await visit(await mailedLink(service, email, path));
    await page.getByRole('button', confirm).click();
    await page.getByRole('heading', { name: 'Your e-mail address is confirmed' }).waitFor();
    expect(isVerified(email)).to.equal(true);
    expect(await page.title()).to.equal('Your e-mail address is confirmed – Confirm your e-mail address – Zonewright');
  });

  it('changes nothing when the link is opened, however often', async () => {
    const { email } = await aRegisteredUser(service);
    const link = await mailedLink(service, email, path);
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).to.equal(200);
    await visit(link);
    const { page, calls } = await visit(link);
    await page.getByRole('button', confirm).waitFor();
    expect(calls).to.deep.equal([]);
    expect(isVerified(email)).to.equal(false);
    await page.getByRole('button', confirm).click();
    await page.getByRole('heading', { name: 'Your e-mail address is confirmed' }).waitFor();
  });

  it('removes the token from the address bar', async () => {
    const { page } = await visit(`${service.url}${path}?from=mail#token=secret`);
    await page.getByRole('button', confirm).waitFor();
    expect(page.url()).to.equal(`${service.url}${path}?from=mail`);
  });

  it('offers a new link when the current one has expired', async () => {
    const { email } = await aRegisteredUser(service);
    const link = await mailedLink(service, email, path);
    expireTokens(service, email);
    const { page } = await visit(link);
    await page.getByRole('button', confirm).click();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByLabel('E-mail address').fill(` ${email} `);
    await page.getByRole('button', { name: 'Send me a new link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    const { page: again } = await visit(await mailedLink(service, email, path));
    await again.getByRole('button', confirm).click();
    await again.getByRole('heading', { name: 'Your e-mail address is confirmed' }).waitFor();
  });

  it('rejects a link that has been used', async () => {
    const { email } = await aRegisteredUser(service);
    const link = await mailedLink(service, email, path);
    await clientOf(service.url).post('/api/auth/verify-email', { token: link.split('#token=')[1] });
    const { page } = await visit(link);
    await page.getByRole('button', confirm).click();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  });

  for (const [name, fragment] of Object.entries({ 'no token': '', 'an endless token': `#token=${'x'.repeat(300)}` })) {
    it(`reports a link that has ${name}`, async () => {
      const { page } = await visit(`${service.url}${path}${fragment}`);
      if (fragment !== '') await page.getByRole('button', confirm).click();
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    });
  }

  it('handles another link opened in the same tab', async () => {
    const { email } = await aRegisteredUser(service);
    const { page } = await visit(`${service.url}${path}#token=stale`);
    await page.getByRole('button', confirm).click();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.goto(await mailedLink(service, email, path));
    await page.getByRole('button', confirm).click();
    await page.getByRole('heading', { name: 'Your e-mail address is confirmed' }).waitFor();
  });

  it('allows retrying when the service is unreachable', async () => {
    const { email } = await aRegisteredUser(service);
    const { page } = await visit(await mailedLink(service, email, path));
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('button', confirm).click();
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Your e-mail address is confirmed' }).waitFor();
  });

  it('shows how long to wait after too many attempts', async () => {
    const { page } = await visit(`${service.url}${path}#token=guess`);
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '870' }, json: { type: '/errors/too-many-requests' } }),
    );
    await page.getByRole('button', confirm).click();
    await page.getByRole('alert').filter({ hasText: 'Try again in 15 minutes.' }).waitFor();
  });

  it('moves the focus to the outcome and announces progress', async () => {
    const { page } = await visit(`${service.url}${path}#token=unknown`);
    let answer = () => {};
    const requested = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/**', async (route) => {
      await requested;
      await route.continue();
    });
    await page.getByRole('button', confirm).click();
    await page.getByRole('status').filter({ hasText: 'One moment…' }).waitFor();
    answer();
    await page.locator('h2:focus').filter({ hasText: 'This link does not work' }).waitFor();
    expect(await page.getByRole('status').textContent()).to.equal('');
  });
});

import { aProvider, scriptedProviders } from '@zonewright/memory';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aVerifiedUser } from '../support/arrange.ts';
import { changeRows, type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { aTwoFactorUser, codeOf } from '../support/two-factor.ts';
import { flawsOf } from './support/legibility.ts';
import { type VisitOptions, visitor } from './support/visit.ts';

const visit = visitor();

type Answer = Parameters<ReturnType<typeof scriptedProviders>['codeFor']>[0];

describe('Providers on the pages', () => {
  const providers = scriptedProviders([aProvider('corp')]);
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService({}, undefined, providers);
  });
  after(() => service.close());

  /** Opens a page in a browser that comes back from the provider with this answer, whenever it is sent there. */
  async function open(path: string, answer: () => Answer, options: VisitOptions = {}): Promise<Page> {
    const { page } = await visit(`${service.url}${path}`, options);
    await page.route('https://corp.example/**', (route) => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: providers.codeFor(answer()), state });
      const location = `${service.url}/api/auth/providers/corp/callback?${query.toString()}`;
      return route.fulfill({ status: 303, headers: { location } });
    });
    return page;
  }

  const isSignedIn = (page: Page) => page.getByText('You are signed in as').waitFor();
  const section = (page: Page) => page.locator('#providers');

  it('sign in, confirm that it is still the same person, and lead to a first password', async () => {
    const someone = { subject: 'new', email: 'new@corp.example' as never };
    const page = await open('/sign-in', () => someone);
    await page.getByRole('link', { name: 'Sign in with CORP' }).click();
    await isSignedIn(page);
    await page.getByText('You have no password yet.').waitFor();
    expect(await page.getByLabel('Current password').filter({ visible: true }).count()).to.equal(0);
    service.inTables(({ sessions }) => changeRows(sessions, () => true, { confirmedAt: new Date(0) }));
    const set = async () => {
      await page.getByLabel('New password', { exact: true }).fill('Even-Better-Horse-8');
      await page.getByLabel('New password again').fill('Even-Better-Horse-8');
      await page.getByRole('button', { name: 'Set the password' }).click();
    };
    await set();
    await page.getByRole('link', { name: 'Sign in with CORP again' }).click();
    await isSignedIn(page);
    await set();
    await page.getByText('Your password is changed.').waitFor();
    await page.getByLabel('Current password').waitFor();
  });

  it('are connected and disconnected in the profile', async () => {
    const page = await open('/profile', () => ({ subject: 'ada' }), { as: await aVerifiedUser(service) });
    // The visit to the provider must not outlast the access token, by which the account is found again.
    await Promise.all([
      page.waitForResponse((reply) => reply.url().endsWith('/api/auth/refresh') && reply.ok()),
      section(page).getByRole('button', { name: 'Connect CORP' }).click(),
    ]);
    await section(page).getByRole('button', { name: 'Disconnect: CORP' }).waitFor();
    expect(await flawsOf(page)).to.deep.equal([]);
    await section(page).getByRole('button', { name: 'Disconnect: CORP' }).click();
    await section(page).getByRole('button', { name: 'Disconnect for good? CORP' }).click();
    await section(page).getByText('Your account is connected to none.').waitFor();
    await section(page).getByRole('button', { name: 'Connect CORP' }).waitFor();
  });

  it('lead to the code of an account with two factors, and back to where people came from', async () => {
    const user = await aTwoFactorUser(service);
    const answer = { subject: 'grace' };
    const own = await open('/profile', () => answer, { as: user });
    await section(own).getByRole('button', { name: 'Connect CORP' }).click();
    await section(own).getByRole('button', { name: 'Disconnect: CORP' }).waitFor();
    await own.context().clearCookies();
    await own.goto(`${service.url}/explain#zone=unknown`);
    await own.getByRole('button', { name: 'Sign in' }).click();
    await own.getByRole('link', { name: 'Sign in with CORP' }).click();
    await own.getByLabel('Code').fill(codeOf(user.secret));
    await own.getByRole('button', { name: 'Sign in', exact: true }).click();
    await own.getByRole('heading', { name: 'Request', level: 2 }).waitFor();
    expect(new URL(own.url()).hash).to.include('zone=unknown');
  });

  it('that let nobody in say why', async () => {
    const { email } = await aVerifiedUser(service);
    const page = await open('/sign-in', () => ({ subject: 'stranger', email: email as never }));
    await page.getByRole('link', { name: 'Sign in with CORP' }).click();
    await page.getByRole('alert').filter({ hasText: 'There is an account with your address already.' }).waitFor();
    expect(await flawsOf(page)).to.deep.equal([]);
  });
});

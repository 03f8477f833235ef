import { expect } from 'chai';
import { aVerifiedUser, type User, unique } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { mailedLink } from './support/links.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

describe('/confirm-email and /undo-email', () => {
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  const addressOf = (user: User) =>
    service.inTables(({ users }) => [...users.values()].find(({ id }) => id === user.id)?.email);

  it('change the address, and bring the old one back', async () => {
    const user = await aVerifiedUser(service);
    const email = `new${unique()}@example.com`;
    expect((await user.post('/api/users/me/email', { email })).status).to.equal(202);
    const undoing = await mailedLink(service, user.email, '/undo-email');

    const confirmed = await visit(await mailedLink(service, email, '/confirm-email'));
    await confirmed.page.getByRole('button', { name: 'Use this e-mail address' }).click();
    await confirmed.page.getByRole('heading', { name: 'Your e-mail address has changed' }).waitFor();
    expect(addressOf(user)).to.equal(email);

    const undone = await visit(undoing);
    await undone.page.getByRole('button', { name: 'Keep this e-mail address' }).click();
    await undone.page.getByRole('heading', { name: 'Your account has this address' }).waitFor();
    expect(addressOf(user)).to.equal(user.email);
  });

  for (const path of ['/confirm-email', '/undo-email']) {
    it(`${path} reports a link that does not work, and redeems nothing by itself`, async () => {
      const { page, calls } = await visit(`${service.url}${path}#token=unknown`);
      expect(calls).to.deep.equal([]);
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    });
  }
});

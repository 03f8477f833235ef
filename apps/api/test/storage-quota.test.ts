import { administration, OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { aVerifiedUser, aZone, rulesOf, someConditions, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem, expectSuccess, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';
import { aBasicAuthUser, aChangeSet } from './support/zone-contents.ts';

const page = (length: number) => ({ zone_settings: { customPagesErrorHtml: 'x'.repeat(length) } });

interface Organization {
  readonly storage: { readonly used: number; readonly limit: number };
}

describe('The storage of an organization', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const path = () => `/api/organizations/${ada.organization}`;
  const read = async () => ((await ada.get(path())).json() as Organization).storage;
  const limit = (storageBytes: number) =>
    administration(service).changeOrganizationLimits(
      { network: undefined, userAgent: 'test' },
      OrganizationId.parse(ada.organization),
      { storageBytes },
    );
  const fill = async () => limit((await read()).used);

  it('is shown with its limit, under an entity tag of its own', async () => {
    const first = await ada.get(path());
    expect((first.json() as Organization).storage).to.deep.equal({ used: 0, limit: 1_000_000_000 });
    const tag = first.headers.get('etag') ?? '';
    await aZone(ada);
    await limit(7000);
    const second = await ada.get(path(), { 'if-none-match': tag });
    expect([second.status, (second.json() as Organization).storage.limit]).to.deep.equal([200, 7000]);
    expect((second.json() as Organization).storage.used).to.be.within(3000, 7000);
    const renamed = await ada.patch(path(), second.json(), { 'if-match': second.headers.get('etag') ?? '' });
    expect(renamed.status, renamed.text).to.equal(200);
  });

  it('refuses whatever adds to it once it is full, and says what helps', async () => {
    const [zone, other] = [await aZone(ada), await aZone(ada)];
    const set = await aChangeSet(ada, zone);
    const gone = await aZone(ada);
    await ada.delete(`/api/zones/${gone.id}`);
    const at = `/api/zones/${zone.id}`;
    await ada.patch(at, page(100));
    await fill();
    const refused: readonly Reply[] = [
      await ada.patch(at, page(1000)),
      await ada.post(rulesOf(zone), { name: 'a rule', conditions: someConditions() }),
      await ada.post(`${at}/ban-token`),
      await ada.post(`${at}/basic-auth-users`, { username: 'ada', password: 'long enough' }),
      await ada.post(`${at}/change-sets`, { patch: page(1000) }),
      await ada.patch(`${at}/change-sets/${set.id}`, { patch: page(1000) }),
      await ada.post(`/api/zones/${other.id}/promotions`, { from: `/api/zones/${zone.id}` }),
      await ada.post('/api/zones', { name: 'one more' }),
      await ada.post(`${path()}/deleted-zones/${gone.id}/restore`),
    ];
    for (const reply of refused)
      expect([reply.status, reply.text.includes('organization.storage.limit')], reply.text).to.deep.equal([422, true]);
    expectProblem(refused[0]!, 422, 'validation-failed', [': organization.storage.limit']);
    const { used } = await read();
    expect(refused[0]!.text).to.include(`The organization stores ${used} of at most ${used} bytes`);
  });

  it('can always be freed, and what is there can be read', async () => {
    const zone = await aZone(ada);
    const at = `/api/zones/${zone.id}`;
    await expectSuccess(ada.patch(at, page(5000)));
    const user = await aBasicAuthUser(ada, zone);
    const created = await ada.post(rulesOf(zone), { name: 'a rule', conditions: someConditions() });
    const set = await aChangeSet(ada, zone);
    await limit(0);
    await expectSuccess(ada.delete(`${rulesOf(zone)}/${(created.json() as { id: string }).id}`));
    await expectSuccess(ada.delete(`${at}/basic-auth-users/${user.id}`));
    await expectSuccess(ada.delete(`${at}/change-sets/${set.id}`));
    await expectSuccess(ada.patch(at, page(10)));
    await expectSuccess(ada.get(`${at}/revisions/2`));
    await expectSuccess(ada.delete(at));
    expect((await read()).used).to.be.greaterThan(0);
  });

  it('grows by at most 4 KB with a POST request without a body', async () => {
    const ids = await someOfEverything(service, ada);
    const zone = { id: String(ids['zones/:id']) } as ZoneBody;
    for (const length of [250_000, 200_000])
      expect((await ada.patch(`/api/zones/${zone.id}`, page(length))).status).to.equal(200);
    const growing: string[] = [];
    for (const route of routes.filter(({ method, access }) => method === 'post' && access !== 'public')) {
      for (const _ of [1, 2]) {
        const before = await read();
        await ada.post(addressOf(route, ids), undefined, { 'if-match': '*' });
        const growth = (await read()).used - before.used;
        if (growth > 4096) growing.push(`${named(route)}: ${growth}`);
      }
    }
    expect(growing).to.deep.equal([]);
  });
});

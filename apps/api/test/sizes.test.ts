import { expect } from 'chai';
import { aVerifiedUser, aZone, rulesOf, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { tagOf } from './support/zone-contents.ts';

const plain = { accept: 'application/json' };
/** A custom page of the maximum size; it has more bytes than characters. */
const page = `<p>é${'x'.repeat(262_144 - 5)}`;
const pages = {
  customPagesErrorHtml: page,
  customPagesSecurityHtml: page,
  customPagesChallengeHtml: page,
  customPagesMaintenanceHtml: page,
};
const maxBody = 1536 * 1024;

describe('Sizes', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;
  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    zone = await aZone(ada);
  });
  after(() => service.close());

  /** A body of exactly this many bytes: trailing blanks count too. */
  const filled = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes);

  describe('of request bodies', () => {
    it('allow four custom pages of the maximum size in one request, and sending back what was read', async () => {
      expect(Buffer.byteLength(page)).to.equal(262_144);
      const path = `/api/zones/${zone.id}`;
      expect((await ada.patch(path, { zone_settings: pages })).status).to.equal(200);
      const read = await ada.get(path);
      expect(read.json()).to.have.property('zone_settings').that.deep.includes(pages);
      const sentBack = await ada.patch(path, read.json());
      expect([sentBack.status, sentBack.headers.get('etag')]).to.deep.equal([200, read.headers.get('etag')]);
      const created = await ada.post('/api/zones', { name: 'With pages', zone_settings: pages });
      expect(created.status, created.text.slice(0, 500)).to.equal(201);
    });

    it('allow sending back a list of rules', async () => {
      const list = rulesOf(zone);
      const rules = Array.from({ length: 30 }, (_, index) => ({
        name: `Rule ${index}`,
        conditions: {
          logic: 'or',
          conditions: Array.from({ length: 10 }, (__, place) => ({
            field: 'uri',
            operator: 'equals',
            value: `/${index}/${place}/${'x'.repeat(1000)}`,
          })),
        },
        settingsOverrides: { minifyHtml: true },
      }));
      const replaced = await ada.put(list, rules, { ...plain, 'if-match': '*' });
      expect(replaced.status, replaced.text.slice(0, 500)).to.equal(200);
      const read = await ada.get(`${list}?itemsPerPage=100`, plain);
      expect(read.text.length).to.be.greaterThan(300_000);
      const tag = await tagOf(ada, list);
      expect((await ada.put(list, read.json(), { ...plain, 'if-match': tag })).headers.get('etag')).to.equal(tag);
    });

    const requests = [
      { method: 'POST', path: () => '/api/zones', type: 'application/json', status: 422 },
      { method: 'PATCH', path: () => `/api/zones/${zone.id}`, type: 'application/merge-patch+json', status: 422 },
      { method: 'PUT', path: () => rulesOf(zone), type: 'application/json', status: 422 },
    ];
    for (const { method, path, type, status } of requests) {
      it(`are at most 1.5 MiB in ${method} of zones and lists of rules`, async () => {
        const send = (body: string) =>
          ada.send(method, path(), { headers: { ...plain, 'content-type': type, 'if-match': '*' }, body });
        const wrong = method === 'PUT' ? [{ unknown: true }] : { unknown: true };
        expect((await send(filled(wrong, maxBody))).status).to.equal(status);
        expectProblem(await send(filled(wrong, maxBody + 1)), 413, 'payload-too-large');
      });
    }
  });

  describe('of list pages', () => {
    let eve: User;
    before(async () => {
      eve = await aVerifiedUser(service);
      for (let count = 0; count < 8; count += 1) await aZone(eve, { zone_settings: pages });
    });

    it('cause 422 for a page of more than 8 MB, which states how many items fit', async () => {
      const reply = await eve.get('/api/zones');
      expectProblem(reply, 422, 'validation-failed', ['itemsPerPage: page.tooLarge']);
      const { fits, detail } = reply.json() as { fits: number; detail: string };
      expect(fits).to.equal(7);
      expect(detail).to.include('8000000 bytes').and.to.include('7');
    });

    it('allow as many items as fit', async () => {
      const reply = await eve.get('/api/zones?itemsPerPage=7');
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.have.length(7);
      expect(reply.headers.get('x-total-count')).to.equal('8');
      expect((await eve.get('/api/zones?itemsPerPage=7&page=2')).json()).to.have.length(1);
    });
  });
});

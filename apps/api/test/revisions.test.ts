import { expect } from 'chai';
import { aMember, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem, expectSuccess, type Reply } from './support/client.ts';
import { withDocumentation } from './support/documentation-link.ts';
import { openService, type TestService } from './support/service.ts';
import {
  aRuleIn,
  historyOf,
  type RevisionBody,
  type RevisionDetailsBody,
  revisionsOf,
  tagOf,
} from './support/zone-contents.ts';
import {
  type Document,
  documentOf,
  expectConsistentHistory,
  latestRevision,
  readRevision,
  readZone,
  type ZoneWithRules,
} from './support/zone-history.ts';

const linked = { accept: 'application/ld+json' };
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Revisions', () => {
  let service: TestService;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const path = () => `/api/zones/${zone.id}`;
  const revision = (number: number | string) => `${revisionsOf(zone)}/${number}`;
  const latest = () => latestRevision(ada, zone);
  const restore = (number: number | string) => ada.post(`${revision(number)}/restore`);

  describe('GET /api/zones/{zoneId}/revisions', () => {
    beforeEach(async () => {
      await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
      await expectSuccess(ada.patch(path(), { zone_settings: { cachingDefaultTtl: 60 } }));
    });

    it('answers 200 with every change of the zone, newest first', async () => {
      const reply = await ada.get(revisionsOf(zone));
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
      expect(reply.headers.get('x-total-count')).to.equal('3');
      const found = reply.json() as readonly RevisionBody[];
      const [newest, ...older] = found;
      const { createdAt, ...rest } = newest ?? expect.fail();
      expect(rest).to.deep.equal({
        number: 3,
        zone: path(),
        action: 'zone.changed',
        objects: {},
        author: `/api/users/${ada.id}`,
      });
      expect(createdAt).to.match(timestamp);
      expect(older.map(({ number, action }) => `${number} ${action}`)).to.deep.equal([
        '2 zone.changed',
        '1 zone.created',
      ]);
    });

    it('answers 200 with linked data on demand', async () => {
      const first = `${revisionsOf(zone)}?page=1`;
      const page = (await ada.get(revisionsOf(zone), linked)).json() as Document & { member: readonly Document[] };
      expect(page).to.deep.include({
        '@context': '/api/contexts/Revision',
        '@id': revisionsOf(zone),
        '@type': 'Collection',
        totalItems: 3,
        view: { '@id': first, '@type': 'PartialCollectionView', first, last: first },
      });
      expect(page.member.map((each) => [each['@id'], each['@type']])).to.deep.equal(
        [3, 2, 1].map((number) => [revision(number), 'Revision']),
      );
    });

    it('is paginated', async () => {
      const numbers = async (query: string) => {
        const reply = await ada.get(`${revisionsOf(zone)}?${query}`);
        return { found: (reply.json() as readonly RevisionBody[]).map(({ number }) => number), ...linksOf(reply) };
      };
      const linksOf = ({ headers }: Reply) => ({ total: headers.get('x-total-count'), link: headers.get('link') });
      const at = (page: number) => `<${revisionsOf(zone)}?itemsPerPage=2&page=${page}>`;
      expect(await numbers('itemsPerPage=2')).to.deep.equal({
        found: [3, 2],
        total: '3',
        link: withDocumentation(service, `${at(1)}; rel="first", ${at(2)}; rel="next", ${at(2)}; rel="last"`),
      });
      expect(await numbers('itemsPerPage=2&page=2')).to.deep.equal({
        found: [1],
        total: '3',
        link: withDocumentation(service, `${at(1)}; rel="first", ${at(1)}; rel="prev", ${at(2)}; rel="last"`),
      });
      expect((await numbers('itemsPerPage=0')).found).to.deep.equal([]);
      expect((await ada.get(`${revisionsOf(zone)}?page=0`)).status).to.equal(400);
    });
  });

  describe('GET /api/zones/{zoneId}/revisions/{number}', () => {
    it("answers 200 with the revision and the zone's state at that time", async () => {
      const rule = await aRuleIn(ada, zone, 'rewriteRules');
      const reply = await ada.get(revision(2));
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { state, patch, inversePatch, ...reported } = reply.json() as RevisionDetailsBody;
      const [listed] = await historyOf(ada, zone);
      expect(reported).to.deep.equal(listed);
      expect(patch).to.deep.equal({ rewriteRules: state['rewriteRules'] });
      expect(inversePatch).to.deep.equal({ rewriteRules: { order: [], items: { [rule.id]: null } } });
      expect(reported).to.deep.include({ number: 2, action: 'rewriteRule.created', objects: { rule: rule.id } });
      expect(state).to.deep.equal(await documentOf(ada, zone));
    });

    it('answers 200 with linked data on demand', async () => {
      const reply = await ada.get(revision(1), linked);
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      expect(reply.json()).to.include({
        '@context': '/api/contexts/Revision',
        '@id': revision(1),
        '@type': 'Revision',
        number: 1,
      });
    });

    it('returns the states around a snapshot', async () => {
      for (let ttl = 2; ttl <= 12; ttl += 1) {
        // As if thousands of bytes had been changed since the latest snapshot.
        if (ttl === 11)
          await service.database.none(
            'UPDATE zone_revisions SET replay_bytes = 1000000 WHERE zone_id = $1 AND number = 10',
            [zone.id],
          );
        await expectSuccess(ada.patch(path(), { zone_settings: { cachingDefaultTtl: ttl } }));
      }
      const kept = await service.database.any(
        'SELECT number FROM zone_revisions WHERE zone_id = $1 AND snapshot IS NOT NULL',
        [zone.id],
      );
      expect(kept).to.have.deep.members([{ number: 1 }, { number: 11 }]);
      for (const number of [2, 5, 9, 10, 11, 12]) {
        const { state } = await readRevision(ada, zone, number);
        expect((state['zone_settings'] as Document)['cachingDefaultTtl'], `at ${number}`).to.equal(number);
      }
      expect(((await restore(9)).json() as ZoneBody).zone_settings['cachingDefaultTtl']).to.equal(9);
    });

    it('grows on disk by less than 4 KB with each restoration of a state of half a megabyte', async () => {
      const size = async () =>
        (await service.database.one<{ size: number }>(`SELECT pg_total_relation_size('zone_revisions')::int AS size`))
          .size;
      // Nothing that PostgreSQL could compress.
      const page = () =>
        Array.from({ length: 8000 }, () => crypto.randomUUID())
          .join('')
          .slice(0, 250_000);
      for (const html of [page(), page()])
        await expectSuccess(ada.patch(path(), { zone_settings: { customPagesErrorHtml: html } }));
      const before = await size();
      for (let step = 0; step < 30; step += 1) expect((await restore(2 + (step % 2))).status).to.equal(200);
      expect((await size()) - before).to.be.below(30 * 4096);
    });

    it('answers 404 to an unknown or invalid revision, and to those of a deleted zone', async () => {
      for (const number of [2, 0, -1, '1.0', '01', 'abc', 2_147_483_648, 99_999_999_999]) {
        expectProblem(await ada.get(revision(number)), 404, 'not-found');
        expectProblem(await ada.get(`${revision(1)}/diff/${number}`), 404, 'not-found');
        expectProblem(await ada.get(`${revision(number)}/diff/1`), 404, 'not-found');
        expectProblem(await restore(number), 404, 'not-found');
      }
      await ada.delete(path());
      for (const gone of [revisionsOf(zone), revision(1), `${revision(1)}/diff/1`]) {
        expectProblem(await ada.get(gone), 404, 'not-found');
      }
      expectProblem(await restore(1), 404, 'not-found');
    });
  });

  describe('GET /api/zones/{zoneId}/revisions/{number}/diff/{other}', () => {
    const diff = async (from: number, to: number) =>
      (await ada.get(`${revision(from)}/diff/${to}`)).json() as RevisionDetailsBody & { from: number; to: number };

    it('answers 200 with the patches between two states, in both directions', async () => {
      await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
      const rule = await aRuleIn(ada, zone, 'accessRules');
      await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: null, cachingDefaultTtl: 60 } }));
      const reply = await ada.get(`${revision(2)}/diff/4`);
      expect(reply.status).to.equal(200);
      const { items } = ((await readRevision(ada, zone, 3)).state as { accessRules: { items: Document } }).accessRules;
      const forward = {
        zone_settings: { minifyHtml: false, cachingDefaultTtl: 60 },
        accessRules: { order: [rule.id], items },
      };
      const back = {
        zone_settings: { minifyHtml: true, cachingDefaultTtl: 604_800 },
        accessRules: { order: [], items: { [rule.id]: null } },
      };
      expect(reply.json()).to.deep.equal({ zone: path(), from: 2, to: 4, patch: forward, inversePatch: back });
      expect(await diff(4, 2)).to.deep.equal({ zone: path(), from: 4, to: 2, patch: back, inversePatch: forward });
    });

    it('answers 200 with linked data on demand', async () => {
      expect((await ada.get(`${revision(1)}/diff/1`, linked)).json()).to.include({
        '@context': '/api/contexts/RevisionDiff',
        '@id': `${revision(1)}/diff/1`,
        '@type': 'RevisionDiff',
      });
    });
  });

  it('POST /api/zones/{zoneId}/revisions/{number}/restore answers 200 with the restored zone', async () => {
    const rule = await aRuleIn(ada, zone, 'accessRules');
    await expectSuccess(ada.delete(`${path()}/access-rules/${rule.id}`));
    const reply = await restore(2);
    expect([reply.status, reply.headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
    const restored = reply.json() as ZoneWithRules;
    expect(restored).to.deep.equal(await readZone(ada, zone));
    expect(restored.accessRules.map(({ id }) => id)).to.deep.equal([rule.id]);
    expect(reply.headers.get('etag')).to.equal(await tagOf(ada, path()));
    expect(await latest()).to.deep.include({ number: 4, action: 'zone.restored', objects: { revision: '2' } });
    await expectConsistentHistory(ada, zone);
    const inLinkedData = await ada.post(`${revision(1)}/restore`, undefined, linked);
    expect(inLinkedData.json()).to.include({ '@context': '/api/contexts/Zone', '@id': path(), '@type': 'Zone' });
  });

  it('omit the author once the account is deleted; the change remains', async () => {
    const leaver = await aMember(service, ada, 'editor');
    await expectSuccess(leaver.patch(path(), { zone_settings: { minifyHtml: true } }));
    await service.database.none('DELETE FROM users WHERE id = $1', [leaver.id]);
    const newest = await latest();
    expect(newest).to.deep.include({ number: 2, patch: { zone_settings: { minifyHtml: true } } });
    expect(newest).not.to.have.property('author');
  });
});

import { RevisionNumber, stateAt, statesAround, ZoneId } from '@zonewright/core';
import { postgresZoneHistory } from '@zonewright/postgres';
import { expect } from 'chai';
import { cutting } from './support/cutting.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const page = { page: 1, itemsPerPage: 100 };

describe('applyRetention', function () {
  this.timeout(60_000);
  const { database, unitOfWork, anOrganization, keep, cut, uuid } = cutting();
  afterEach(() => expectTalliesToHold(database()));

  describe('for history', () => {
    /** A zone changed daily; revision 1 and every hundredth have a snapshot. */
    async function aZone(organization: number, revisions: number): Promise<ZoneId> {
      const zone = ZoneId.parse(uuid());
      await database().none(
        `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash, revision)
         VALUES ($(zone), $(organization), $(zone), $(zone), 'prod', $(zone), $(revisions));
         INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, snapshot, created_at)
         SELECT $(zone), n, 'zone.changed', '{}', json_build_object('name', 'name ' || n), '{}',
           CASE WHEN n = 1 OR n % 100 = 0 THEN json_build_object('name', 'name ' || n, 'tag', 'prod') END,
           now() - ($(revisions) - n) * interval '1 day' - interval '1 hour'
         FROM generate_series(1, $(revisions)) AS n`,
        { zone, organization, revisions },
      );
      return zone;
    }

    const numbers = async (zone: ZoneId) =>
      (
        await database().any<{ number: number }>(
          'SELECT number FROM zone_revisions WHERE zone_id = $1 ORDER BY number',
          zone,
        )
      ).map(({ number }) => number);
    const readable = async (zone: ZoneId, number: number) =>
      (await unitOfWork().view((repositories) => stateAt(repositories, zone, RevisionNumber.parse(number)))).unwrapOr(
        undefined,
      );
    const changeAt = async (zone: ZoneId, number: number) => {
      const history = postgresZoneHistory(database());
      const read = history.byNumber(zone, number).andThen((revision) => statesAround({ history }, revision));
      return (await read).unwrapOr(undefined);
    };
    const total = async (zone: ZoneId) =>
      (
        await unitOfWork()
          .view(({ history }) => history.list(zone, page))
          .map(({ totalItems }) => totalItems)
      ).unwrapOr(undefined);
    const expectWhole = async (zone: ZoneId, kept: readonly number[]) => {
      expect(await numbers(zone)).to.deep.equal(kept);
      expect(await total(zone)).to.equal(kept.length);
      for (const number of kept)
        expect(await readable(zone, number)).to.deep.equal({ name: `name ${number}`, tag: 'prod', hostnames: [] });
    };
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

    it('keeps every state in the retention period, and none before', async () => {
      const organization = await anOrganization();
      const [busy, quiet, young] = [
        await aZone(organization, 250),
        await aZone(organization, 5),
        await aZone(organization, 3),
      ];
      await database().none(
        `UPDATE zone_revisions SET created_at = created_at - interval '1 year' WHERE zone_id = $1`,
        quiet,
      );
      await cut({ history: 30 });
      const [first = 0] = await numbers(busy);
      expect(first).to.be.within(218, 220);
      await expectWhole(busy, from(first, 250));
      expect(await readable(busy, first - 1)).to.equal(undefined);
      await expectWhole(quiet, [5]);
      await expectWhole(young, [1, 2, 3]);
      await cut({ history: 30 });
      expect(await numbers(busy)).to.deep.equal(from(first, 250));
    });

    it('forgets rules that were removed before what is kept', async () => {
      const zone = await aZone(await anOrganization(), 60);
      await database().none(
        `INSERT INTO retired_rules (zone_id, id, kind, revision) VALUES ($1, $2, 'accessRule', 5), ($1, $3, 'accessRule', 59)`,
        [zone, uuid(), uuid()],
      );
      await cut({ history: 30 });
      const kept = await database().any('SELECT revision FROM retired_rules WHERE zone_id = $1', zone);
      expect(kept).to.deep.equal([{ revision: 59 }]);
    });

    it('thins out older details: keeps snapshots and everything after the last of these', async () => {
      const zone = await aZone(await anOrganization(), 335);
      await cut({ historyDetail: 30 });
      await expectWhole(zone, [1, 100, 200, ...from(300, 335)]);
      await cut({ historyDetail: 30, history: 200 });
      const kept = await numbers(zone);
      expect(kept).to.deep.equal([100, 200, ...from(300, 335)]);
      await expectWhole(zone, kept);
      expect(await readable(zone, 150)).to.equal(undefined);
    });

    /**
     * A zone changed daily, with references: revision 1 is a snapshot, and each later one a patch or what it refers to.
     */
    async function aRestoredZone(organization: number, last: number) {
      const zone = await aZone(organization, last);
      const references = [
        [11, 3, 10, null],
        [12, 5, 10, null],
        [14, 3, 13, '{"zone_settings":{"kept":true}}'],
        [15, 3, 13, null],
        [16, 5, 13, null],
        [18, 14, 17, null],
        [20, 19, 19, null],
      ] as const;
      await database().none(
        `UPDATE zone_revisions SET patch = json_build_object('name', 'name ' || number, 'zone_settings', json_build_object('page', number))
         WHERE zone_id = $1 AND snapshot IS NULL`,
        zone,
      );
      for (const reference of references)
        await database().none(
          `UPDATE zone_revisions SET patch = NULL, contents_from = $3, rest_from = $4, adjustment = $5
           WHERE zone_id = $1 AND number = $2`,
          [zone, ...reference],
        );
      const states = new Map<number, unknown>();
      for (const number of from(1, last)) states.set(number, await readable(zone, number));
      expect(states.get(18)).to.deep.equal({
        name: 'name 17',
        tag: 'prod',
        hostnames: [],
        zone_settings: { page: 3, kept: true },
      });
      expect([...states.values()]).to.not.include(undefined);
      return { zone, states };
    }

    it('keeps restored states and what changed, although what they refer to is deleted', async () => {
      for (const days of from(4, 18)) {
        const { zone, states } = await aRestoredZone(await anOrganization(), 25);
        const changes = await Promise.all(from(1, 25).map((number) => changeAt(zone, number)));
        await cut({ history: days });
        const kept = await numbers(zone);
        const [first = 0] = kept;
        expect(first).to.be.within(25 - days - 2, 25 - days);
        expect(kept).to.deep.equal(from(first, 25));
        for (const number of kept) {
          expect(await readable(zone, number)).to.deep.equal(states.get(number));
          expect(await changeAt(zone, number)).to.deep.equal(changes[number - 1]);
        }
      }
    });

    it('thins out restorations and keeps what later ones refer to', async () => {
      const { zone, states } = await aRestoredZone(await anOrganization(), 125);
      await database().none(
        'UPDATE zone_revisions SET contents_from = 14, rest_from = 109, patch = NULL WHERE zone_id = $1 AND number = 110',
        zone,
      );
      states.set(110, await readable(zone, 110));
      for (const number of from(111, 125)) states.set(number, await readable(zone, number));
      await cut({ historyDetail: 10 });
      const kept = await numbers(zone);
      expect(kept).to.deep.equal([1, 14, ...from(100, 125)]);
      for (const number of kept) expect(await readable(zone, number)).to.deep.equal(states.get(number));
    });

    it('thins out a thousand restorations without a snapshot', async () => {
      const zone = await aZone(await anOrganization(), 1300);
      await database().none(
        `UPDATE zone_revisions SET contents_from = 1 + number % 2, rest_from = 2, patch = NULL, snapshot = NULL
         WHERE zone_id = $1 AND number > 2`,
        zone,
      );
      await cut({ historyDetail: 30 });
      expect(await numbers(zone)).to.deep.equal([1, 2, 201, 401, 601, 801, 1001, ...from(1201, 1300)]);
    });

    it('deletes hundreds of patches without a snapshot between them', async () => {
      const zone = await aZone(await anOrganization(), 1000);
      await database().none('UPDATE zone_revisions SET snapshot = NULL WHERE zone_id = $1 AND number > 1', zone);
      await cut({ history: 30 });
      await expectWhole(zone, from((await numbers(zone))[0] ?? 0, 1000));
      expect(await total(zone)).to.be.within(31, 33);
    });

    it('deletes a thousand revisions of a zone at a time', async () => {
      const zone = await aZone(await anOrganization(), 2345);
      await cut({ history: 10, historyDetail: 5 });
      await expectWhole(zone, from((await numbers(zone))[0] ?? 0, 2345));
      expect(await total(zone)).to.be.within(11, 13);
    });

    it("follows an organization's own retention", async () => {
      const [usual, longer, shorter] = [await anOrganization(), await anOrganization(), await anOrganization()];
      await keep(longer, 'history', null);
      await keep(shorter, 'history', 3);
      const zones = [await aZone(usual, 40), await aZone(longer, 40), await aZone(shorter, 40)];
      await cut({ history: 20 });
      const lengths = await Promise.all(zones.map(total));
      expect(lengths[0]).to.be.within(21, 23);
      expect(lengths[1]).to.equal(40);
      expect(lengths[2]).to.be.within(4, 6);
    });

    it('deletes change sets applied before the cut, except those of promotions', async () => {
      const zone = await aZone(await anOrganization(), 50);
      const sets = [10, 10, 45].map((applied) => ({ applied, id: uuid() }));
      for (const { applied, id } of sets) {
        await database().none(
          `INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at,
             applied_revision, applied_at)
           VALUES ($1, $2, '', '', '', 1, '{}', now(), now(), now(), $3, now())`,
          [id, zone, applied],
        );
      }
      await database().none(
        `INSERT INTO promotions (id, zone_id, change_set_id, source_id, from_revision, to_revision, request, report, created_at)
         VALUES ($1, $2, $3, $1, 1, 1, '', '[]', now())`,
        [uuid(), zone, sets[0]?.id],
      );
      await cut({ history: 20 });
      const left = await database().any<{ id: string }>('SELECT id FROM change_sets WHERE zone_id = $1', zone);
      expect(left.map(({ id }) => id)).to.have.members([sets[0]?.id, sets[2]?.id]);
    });

    it('keeps the base of a draft and everything needed to read it', async () => {
      const zone = await aZone(await anOrganization(), 50);
      await database().none(
        `INSERT INTO change_sets (id, title, title_key, description, patch, created_at, updated_at, ends_at, zone_id, base)
         VALUES ($1, '', '', '', '{}', now(), now(), now(), $2, 12)`,
        [uuid(), zone],
      );
      await cut({ history: 10 });
      await expectWhole(zone, from(12, 50));
      await cut({ historyDetail: 5 });
      await expectWhole(zone, from(12, 50));
    });
  });

  describe('for the audit log', () => {
    const record = (organization: number | null, daysAgo: number) =>
      database().none(
        `INSERT INTO audit_log (action, objects, organization_id, at)
         SELECT 'zone.created', '{}', $1, now() - make_interval(days => $2, secs => n) FROM generate_series(1, 300) AS n`,
        [organization, daysAgo],
      );
    const left = async (organization: number | null) =>
      (
        await database().any<{ days: number }>(
          `SELECT DISTINCT extract(day FROM now() - at)::int AS days FROM audit_log
           WHERE organization_id IS NOT DISTINCT FROM $1 ORDER BY days`,
          [organization],
        )
      ).map(({ days }) => days);
    const months = async () => (await database().any('SELECT FROM audit_log_partitions()')).length;

    it('drops whole months, and deletes single entries where retention differs between organizations', async () => {
      const [usual, longer, shorter] = [await anOrganization(), await anOrganization(), await anOrganization()];
      // Simulates a service that has run for years.
      await database().none(
        `CREATE TABLE audit_log_months.years PARTITION OF audit_log (PRIMARY KEY (id))
         FOR VALUES FROM (now() - interval '1000 days') TO (now() - interval '95 days')`,
      );
      await keep(shorter, 'auditLog', 10);
      await keep(longer, 'auditLog', 150);
      for (const days of [160, 140, 20, 1]) {
        for (const organization of [usual, longer, shorter, null]) await record(organization, days);
      }
      const before = await months();
      await cut({ auditLog: 60 });
      expect(await left(usual)).to.deep.equal([1, 20]);
      expect(await left(null)).to.deep.equal([1, 20]);
      expect(await left(longer)).to.deep.equal([1, 20, 140]);
      expect(await left(shorter)).to.deep.equal([1]);
      expect(await months()).to.equal(before);
      await database().none('UPDATE organization_retention SET days = 30 WHERE organization_id = $1', longer);
      await cut({ auditLog: 60 });
      expect(await months()).to.equal(before - 1);
      expect(await left(longer)).to.deep.equal([1, 20]);
    });

    it('never deletes entries of the last day, or for anyone but the clean-up', async () => {
      await record(null, 0);
      const failure = await database()
        .any(`SELECT set_config('zonewright.clean_up', 'audit log', false); DELETE FROM audit_log`)
        .catch((reason: unknown) => reason);
      expect(failure).to.have.property('message', 'the audit log takes new entries only');
    });
  });
});

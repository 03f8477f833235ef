import { readFileSync } from 'node:fs';
import pg from 'pg';

const url = readFileSync('/tmp/reads/url', 'utf8');
const { zoneList } = await import('./src/zone-list-statement.ts');
const q = zoneList({
  asker: 'session',
  sort: [{ key: 'name', direction: 'asc' }],
  byTag: false,
  bySearch: false,
  byOrganization: false,
});
const prepared = (values) => q.prepared(values);
const c = new pg.Client({ connectionString: url });
await c.connect();
const ex = {};
for (const user of ['m1', 'm2', 'm3']) {
  const {
    rows: [who],
  } = await c.query(
    `SELECT s.id sid, u.id uid, (select array_agg(organization_id) from memberships where user_id=u.id) orgs FROM sessions s JOIN users u ON u.id=s.user_id WHERE u.email=$1`,
    [user + '@e.com'],
  );
  for (const offset of [0, 8970]) {
    const p = prepared({
      sessionId: who.sid,
      userId: who.uid,
      roles: ['owner', 'admin', 'editor', 'viewer'],
      tags: ['prod', 'stage', 'dev'],
      limit: 30,
      offset,
      pattern: '',
    });
    const floor = `WITH page AS (SELECT id, name_key FROM zones WHERE organization_id = ANY ($1) ORDER BY name_key, id LIMIT 30 OFFSET $2) SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token AS "banToken", z.created_by AS "createdBy", z.created_at AS "createdAt", z.updated_at AS "updatedAt", s.settings::text AS "settings" FROM page JOIN zones AS z USING (id) JOIN zone_settings AS s ON s.zone_id = z.id ORDER BY z.name_key, z.id`;
    const t = { ours: [], floor: [], one: [] };
    for (let i = 0; i < 150; i++) {
      let a = performance.now();
      await c.query({ name: 'ours', text: p.text, values: p.values });
      t.ours.push(performance.now() - a);
      a = performance.now();
      await c.query({ name: 'floor', text: floor, values: [who.orgs, offset] });
      t.floor.push(performance.now() - a);
      a = performance.now();
      await c.query({ name: 'one', text: 'SELECT $1::int', values: [1] });
      t.one.push(performance.now() - a);
    }
    console.log(
      user,
      offset,
      Object.entries(t)
        .map(([k, v]) => {
          v.sort((x, y) => x - y);
          return `${k} min ${v[0].toFixed(2)} p25 ${v[37].toFixed(2)}`;
        })
        .join(' | '),
    );
    if (process.argv[2] === user && offset === 0) {
      const list = p.values.map((v) => (Array.isArray(v) ? `'{${v.join(',')}}'` : `'${v}'`)).join(',');
      await c.query(`PREPARE pp AS ${p.text}`);
      for (let i = 0; i < 6; i++) await c.query(`EXECUTE pp(${list})`);
      const { rows } = await c.query(`EXPLAIN (ANALYZE, TIMING ON) EXECUTE pp(${list})`);
      console.log(rows.map((r) => r['QUERY PLAN']).join('\n'));
    }
  }
}
await c.end();

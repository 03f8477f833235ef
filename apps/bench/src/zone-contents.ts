/** Fills zones through the API, and stores what the floor reads instead. */
import type { Database } from '@zonewright/postgres';
import type { CrowdedZone } from './crowded-zone.ts';
import { exchange } from './load.ts';
import { post, put } from './send.ts';

/** 50 configuration rules, 20 rewrites, 20 access rules and 10 scenarios. */
export async function addContents(port: number, token: string, zone: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const add = async (list: string, count: number, body: (number: number) => object) => {
    for (let number = 1; number <= count; number += 1)
      await post(port, `/api/zones/${zone}/${list}`, body(number), headers);
  };
  await addRules(port, token, zone, 50);
  await add('rewrite-rules', 20, (number) => ({
    name: `Rewrite ${number}`,
    description: 'What moved when the shop was built anew, and is linked from elsewhere.',
    operator: 'equals',
    sourcePattern: `/old-${number}`,
    target: `/new-${number}`,
  }));
  await add('access-rules', 20, (number) => ({
    name: `Access ${number}`,
    description: 'Keeps out what only looks for mistakes of others.',
    conditions: conditionsOn(`/admin-${number}`),
    action: 'block',
  }));
  await add('security/scenarios', 10, (number) => ({
    name: `scenario-${number}`,
    type: 'leaky',
    capacity: 5,
    leakSpeedSeconds: 10,
    filter: conditionsOn(`/login-${number}`),
  }));
}

/** Stores the rendered nested members of the zone, so that the floor only concatenates them. */
export async function addAnswers(database: Database, port: number, token: string, zone: string): Promise<void> {
  await database.none(
    'CREATE TABLE bench_answers (zone_id uuid, member text, place int, body text, PRIMARY KEY (zone_id, member, place))',
  );
  const read = { method: 'GET', path: `/api/zones/${zone}`, learn: () => undefined } as const;
  const answer = await exchange(port, {
    ...read,
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
  });
  // The service sends a zone as an object.
  const zoneMembers = Object.entries(JSON.parse(answer) as Record<string, unknown>);
  for (const [member, items] of zoneMembers) {
    if (!Array.isArray(items)) continue;
    for (const [place, item] of items.entries()) {
      await database.none('INSERT INTO bench_answers VALUES ($1, $2, $3, $4)', [
        zone,
        member,
        place,
        JSON.stringify(item),
      ]);
    }
  }
}

/** Replaces a whole list. Resolves to the ids of its rules. */
export async function addRewriteRules(port: number, token: string, zone: string, count: number): Promise<string[]> {
  const rules = Array.from({ length: count }, (_, index) => ({
    name: `Rewrite ${index}`,
    operator: 'equals',
    sourcePattern: `/old-${index}`,
    target: `/new-${index}`,
  }));
  const headers = { Authorization: `Bearer ${token}`, 'If-Match': '*' };
  return (await put<{ id: string }[]>(port, `/api/zones/${zone}/rewrite-rules`, rules, headers)).map(({ id }) => id);
}

const conditionsOn = (path: string) => ({
  logic: 'and',
  conditions: [
    { field: 'uri', operator: 'equals', value: path },
    { field: 'method', operator: 'equals', value: 'GET' },
  ],
});

/** Appends configuration rules one by one. Resolves to their ids. */
export async function addRules(port: number, token: string, zone: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await post<{ id: string }>(port, `/api/zones/${zone}/configuration-rules`, aRule(number), {
      Authorization: `Bearer ${token}`,
    });
    ids.push(id);
  }
  return ids;
}

const aRule = (number: number) => ({
  name: `Rule ${number}`,
  description: 'Caches what a shop shows to everybody, and leaves alone what it shows to one person only.',
  conditions: conditionsOn(`/page-${number}`),
  settingsOverrides: {
    cachingStaticEnabled: true,
    cachingDefaultTtl: 3600,
    headersResponseSet: [
      { name: 'X-Rule', value: `rule number ${number}` },
      { name: 'X-Frame-Options', value: 'DENY' },
    ],
  },
});

/** The same rules with integer positions, among those of other zones, for the floor's move. */
export async function addPositions(database: Database, crowded: readonly CrowdedZone[]): Promise<void> {
  await database.none(`CREATE TABLE bench_positions (
    rule_id uuid PRIMARY KEY, zone_id uuid NOT NULL, position integer NOT NULL,
    UNIQUE (zone_id, position) DEFERRABLE INITIALLY DEFERRED
  )`);
  await database.none(`INSERT INTO bench_positions
    SELECT gen_random_uuid(), id, n FROM zones, generate_series(1, 3) AS n
    WHERE id NOT IN (SELECT zone_id FROM rules) AND name_key < 'zone-3'`);
  await database.none(
    `INSERT INTO bench_positions
     SELECT id, zone_id, row_number() OVER (PARTITION BY zone_id, kind ORDER BY rank) FROM rules
     WHERE zone_id = ANY ($1::uuid[])`,
    [crowded.map(({ zone }) => zone)],
  );
}

/** Fills zones through the API, and stores what the floor reads instead. */
import type { Database } from '@zonewright/postgres';
import { exchange, post, put } from './load.ts';
import { sql } from './sql.ts';

/** A zone with many rules of one kind. */
export interface CrowdedZone {
  readonly zone: string;
  /** A rule in the middle of the order. */
  readonly rule: string;
}

/** 50 configuration rules, 20 rewrites, 20 access rules and 10 scenarios. */
export async function addContents(port: number, token: string, zone: string): Promise<void> {
  const add = async (list: string, count: number, body: (number: number) => object) => {
    for (let number = 1; number <= count; number += 1)
      await post(port, `/api/zones/${zone}/${list}`, body(number), token);
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
  const read = { method: 'GET', path: `/api/zones/${zone}`, learn: () => undefined } as const;
  const answer = await exchange(port, {
    ...read,
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
  });
  // The service sends a zone as an object.
  const zoneMembers = Object.entries(JSON.parse(answer) as Record<string, unknown>);
  for (const [member, items] of zoneMembers) {
    if (!Array.isArray(items)) continue;
    for (const [place, item] of items.entries())
      await database.none(sql('data/answer'), [zone, member, place, JSON.stringify(item)]);
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
  const path = `/api/zones/${zone}/rewrite-rules`;
  return (await put<{ id: string }[]>(port, path, rules, token, { 'If-Match': '*' })).map(({ id }) => id);
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
    ids.push((await post<{ id: string }>(port, `/api/zones/${zone}/configuration-rules`, aRule(number), token)).id);
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

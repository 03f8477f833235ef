/** Fills zones through the API, and stores what the floor reads instead. */
import type { Database } from '@zonewright/postgres';
import { ask, jsonRequest, post } from './load.ts';
import { sql } from './sql.ts';

/** A zone with many rules of one kind. */
export interface CrowdedZone {
  readonly zone: string;
  /** A rule in the middle of the order. */
  readonly rule: string;
}

/** 50 configuration rules, 20 rewrites, 20 access rules and 10 scenarios. */
export async function addContents(port: number, token: string, zone: string): Promise<void> {
  const add = (list: string, count: number, body: (number: number) => object) =>
    append(port, token, `/api/zones/${zone}/${list}`, count, body);
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
  const members = await ask<Record<string, unknown>>(port, jsonRequest('GET', `/api/zones/${zone}`, { token }));
  for (const [member, items] of Object.entries(members)) {
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
  const content = { token, body: rules, headers: { 'If-Match': '*' } };
  const request = jsonRequest('PUT', `/api/zones/${zone}/rewrite-rules`, content);
  return (await ask<{ id: string }[]>(port, request)).map(({ id }) => id);
}

const conditionsOn = (path: string) => ({
  logic: 'and',
  conditions: [
    { field: 'uri', operator: 'equals', value: path },
    { field: 'method', operator: 'equals', value: 'GET' },
  ],
});

/** Appends configuration rules one by one. Resolves to their ids. */
export const addRules = (port: number, token: string, zone: string, count: number): Promise<string[]> =>
  append(port, token, `/api/zones/${zone}/configuration-rules`, count, aRule);

async function append(
  port: number,
  token: string,
  path: string,
  count: number,
  body: (number: number) => object,
): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1)
    ids.push((await post<{ id: string }>(port, path, body(number), token)).id);
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

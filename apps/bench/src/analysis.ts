import { logIn } from './data-set.ts';
import { conditionOf } from './evaluation.ts';
import { ask, exchange, jsonRequest, median, type Request, repeated, type Source } from './load.ts';
import type { Measure } from './other-measures.ts';
import { type Environment, type Running, startService } from './processes.ts';
import { type Effort, stretchBeside } from './rounds.ts';

const starts = 3;
const writes = 20;

/** Every tenth rule ends the list. Consecutive rules share one of their two conditions. */
const rules = Array.from({ length: 100 }, (_, index) => ({
  name: `Rule ${index}`,
  conditions: { logic: 'and', conditions: [conditionOf(index), conditionOf(index + 1)] },
  settingsOverrides: { cachingDefaultTtl: index },
  stopOnMatch: index % 10 === 8,
}));

/** Builds requests of a signed-in user. */
type RequestFactory = (method: Request['method'], path: string, body?: object) => Request;

async function signedIn(port: number): Promise<RequestFactory> {
  const { token } = await logIn(port);
  return (method, path, body) => jsonRequest(method, path, { token, ...(body && { body }) });
}

/** A zone with the rules, and the address of one of them. */
interface ZoneWithRules {
  readonly zone: string;
  readonly rule: string;
  readonly revision: number;
}

async function addZone(port: number, requestOf: RequestFactory): Promise<ZoneWithRules> {
  const create = (path: string, body: object) =>
    ask<{ readonly id: string | number }>(port, requestOf('POST', path, body));
  // All other organizations are at their zone limit.
  const { id: organization } = await create('/api/organizations', { name: 'Analysis' });
  const { id } = await create('/api/zones', { name: 'analysis.example', organization });
  const list = `/api/zones/${id}/configuration-rules`;
  const ids: (string | number)[] = [];
  for (const each of rules) ids.push((await create(list, each)).id);
  return { zone: `/api/zones/${id}`, rule: `${list}/${ids[0]}`, revision: rules.length + 1 };
}

/**
 * Processor time of the service per request, in milliseconds: wall time would include waiting, because the threads run
 * at low priority.
 */
async function milliseconds(service: Running, request: Request): Promise<number> {
  const before = await service.cpu();
  await exchange(service.port, request);
  return ((await service.cpu()) - before) / 1000;
}

/** The first question of a process includes starting its analysis thread. */
const firstQuestions = (environment: Environment, { zone }: ZoneWithRules): Promise<readonly number[]> =>
  repeated(starts, async () => {
    const fresh = await startService(environment);
    const requestOf = await signedIn(fresh.port);
    const time = await milliseconds(fresh, requestOf('GET', `${zone}/findings`));
    await fresh.stop();
    return time;
  });

/** Findings after each of several writes, and the effect of each write. */
async function afterWrites(service: Running, requestOf: RequestFactory, { zone, rule, revision }: ZoneWithRules) {
  const [findings, compared]: [number[], number[]] = [[], []];
  await exchange(service.port, requestOf('GET', `${zone}/findings`));
  for (let number = revision; number < revision + writes; number += 1) {
    const conditions = { logic: 'and', conditions: [{ ...conditionOf(0), value: `/new-${number}/` }] };
    await exchange(service.port, requestOf('PATCH', rule, { conditions }));
    findings.push(await milliseconds(service, requestOf('GET', `${zone}/findings`)));
    compared.push(await milliseconds(service, requestOf('GET', `${zone}/revisions/${number}/behaviour/${number + 1}`)));
  }
  return { findings: median(findings), compared: median(compared) };
}

/** Compares revisions that have not been compared before. */
function comparing({ zone, revision }: ZoneWithRules, requestOf: RequestFactory): Source {
  let [from, to] = [1, 1];
  return () => {
    to = to < revision ? to + 1 : 1;
    if (to === 1) from += 1;
    return requestOf('GET', `${zone}/revisions/${from}/behaviour/${to}`);
  };
}

/** What analyses of a zone with 100 rules cost over HTTP, and how much they slow down other requests. */
export async function analysisOfRules(
  environment: Environment,
  service: Running,
  list: Source,
  effort: Effort,
): Promise<readonly Measure[]> {
  const { port } = service;
  const requestOf = await signedIn(port);
  const ruled = await addZone(port, requestOf);
  const first = median(await firstQuestions(environment, ruled));
  const { findings, compared } = await afterWrites(service, requestOf, ruled);
  const stretch = await stretchBeside(port, [list], [comparing(ruled, requestOf)], effort);
  return [
    { name: 'findings of 100 rules, the first question', unit: 'ms CPU', service: first, hold: 500 },
    { name: 'findings of 100 rules after one write', unit: 'ms CPU', service: findings, hold: 50 },
    { name: 'behaviour of 100 rules, one write apart', unit: 'ms CPU', service: compared, hold: 1000 },
    { name: 'p99 of a list beside analysis', unit: 'times', service: stretch, hold: 1.8 },
  ];
}

import { logIn } from './data-set.ts';
import { conditionOf } from './evaluation.ts';
import { exchange, load, median, quantile, type Request, type Source } from './load.ts';
import type { Measure } from './other-measures.ts';
import { type Running, type Surroundings, startService } from './processes.ts';
import type { Effort } from './rounds.ts';

const starts = 3;
const writes = 20;

/** Every tenth rule ends the list. One of two neighbors of the mix differs from rule to rule. */
const rules = Array.from({ length: 100 }, (_, index) => ({
  name: `Rule ${index}`,
  conditions: { logic: 'and', conditions: [conditionOf(index), conditionOf(index + 1)] },
  settingsOverrides: { cachingDefaultTtl: index },
  stopOnMatch: index % 10 === 8,
}));

/** Requests of one who signed in. */
type Asked = (method: Request['method'], path: string, body?: object) => Request;

async function signedIn(port: number): Promise<Asked> {
  const { token } = await logIn(port);
  return (method, path, body) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { Accept: 'application/json', 'Content-Type': type, Authorization: `Bearer ${token}` };
    return { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  };
}

/** A zone with the rules, and the address of one of them. */
interface Ruled {
  readonly zone: string;
  readonly rule: string;
  readonly revision: number;
}

async function addZone(port: number, asked: Asked): Promise<Ruled> {
  const made = async (path: string, body: object): Promise<{ readonly id: string | number }> =>
    JSON.parse(await exchange(port, { ...asked('POST', path, body), learn: () => undefined }));
  // All others have as many zones as they may have.
  const { id: organization } = await made('/api/organizations', { name: 'Analysis' });
  const { id } = await made('/api/zones', { name: 'analysis.example', organization });
  const list = `/api/zones/${id}/configuration-rules`;
  const ids: (string | number)[] = [];
  for (const each of rules) ids.push((await made(list, each)).id);
  return { zone: `/api/zones/${id}`, rule: `${list}/${ids[0]}`, revision: rules.length + 1 };
}

/** Processor time of the service for one request, in milliseconds: threads that give way to others wait for a while. */
async function milliseconds(service: Running, request: Request): Promise<number> {
  const before = await service.cpu();
  await exchange(service.port, request);
  return ((await service.cpu()) - before) / 1000;
}

/** The first question that a process is asked: its thread is not there yet. */
async function firstQuestions(surroundings: Surroundings, { zone }: Ruled): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const fresh = await startService(surroundings);
    const asked = await signedIn(fresh.port);
    times.push(await milliseconds(fresh, asked('GET', `${zone}/findings`)));
    await fresh.stop();
  }
  return times;
}

/** Findings after each of several writes, and what each of these did. */
async function afterWrites(service: Running, asked: Asked, { zone, rule, revision }: Ruled) {
  const [findings, compared]: [number[], number[]] = [[], []];
  await exchange(service.port, asked('GET', `${zone}/findings`));
  for (let number = revision; number < revision + writes; number += 1) {
    const conditions = { logic: 'and', conditions: [{ ...conditionOf(0), value: `/new-${number}/` }] };
    await exchange(service.port, asked('PATCH', rule, { conditions }));
    findings.push(await milliseconds(service, asked('GET', `${zone}/findings`)));
    compared.push(await milliseconds(service, asked('GET', `${zone}/revisions/${number}/behaviour/${number + 1}`)));
  }
  return { findings: median(findings), compared: median(compared) };
}

/** How much longer than alone a list takes, at the 99th percentile, while revisions are compared that never were before. */
async function stretchBeside(port: number, asked: Asked, ruled: Ruled, list: Source, { rounds, seconds }: Effort) {
  let [from, to] = [1, 1];
  const compare: Source = () => {
    to = to < ruled.revision ? to + 1 : 1;
    if (to === 1) from += 1;
    return asked('GET', `${ruled.zone}/revisions/${from}/behaviour/${to}`);
  };
  const stretches: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const alone = await load(port, [list], seconds);
    const [beside] = await Promise.all([load(port, [list], seconds), load(port, [compare], seconds)]);
    stretches.push(quantile(beside.milliseconds, 0.99) / quantile(alone.milliseconds, 0.99));
  }
  return median(stretches);
}

/** What questions about all requests to a zone with 100 rules take over HTTP, and what they take from others. */
export async function analysisOfRules(
  surroundings: Surroundings,
  service: Running,
  list: Source,
  effort: Effort,
): Promise<readonly Measure[]> {
  const { port } = service;
  const asked = await signedIn(port);
  const ruled = await addZone(port, asked);
  const first = median(await firstQuestions(surroundings, ruled));
  const { findings, compared } = await afterWrites(service, asked, ruled);
  const stretch = await stretchBeside(port, asked, ruled, list, effort);
  return [
    measure('findings of 100 rules, the first question', 'ms CPU', first, 500, 400),
    measure('findings of 100 rules after one write', 'ms CPU', findings, 50, 25),
    measure('behaviour of 100 rules, one write apart', 'ms CPU', compared, 1000, 300),
    measure('p99 of a list beside analysis', 'times', stretch, 1.8, 1.3),
  ];
}

const measure = (name: string, unit: string, service: number, hold: number, aim: number): Measure => ({
  name,
  unit,
  floor: undefined,
  service,
  judged: service,
  hold,
  aim,
});

import { accounts, type DataSet, logIn } from './data-set.ts';
import { inTurn, jsonRequest, type Request, type Source } from './load.ts';
import type { CrowdedZone } from './zone-contents.ts';

/** One workload: the requests to both servers and the target ratio. */
export interface Work {
  readonly name: string;
  /** The report marks a lower throughput relative to the floor's. */
  readonly hold?: number;
  readonly floor: readonly Source[];
  readonly service: readonly Source[];
  /** Whether both must return the same bytes, which is checked. */
  readonly isSame?: true;
}

/** The tokens for both servers, and the data to work on. */
export interface Stage {
  readonly data: DataSet;
  readonly floorToken: string;
  /** Called for every request, because access tokens expire. */
  readonly serviceToken: () => string;
  readonly servicePort: number;
  readonly floorPort: number;
}

/** The same source on every connection. */
const everywhere = (source: Source): Source[] => accounts.map(() => source);

/** All works, in the order of the report. */
export async function worksOn(stage: Stage): Promise<Work[]> {
  const { crowded, long, zone } = stage.data;
  const list = ['/list', '/api/zones?order[name]=asc'] as const;
  const one = [`/zone?id=${zone}`, `/api/zones/${zone}`] as const;
  return [
    { name: 'list of 30 zones by name', hold: 0.9, isSame: true, ...reads(stage, ...list) },
    { name: 'list of 30 zones by name, unchanged', hold: 0.8, ...(await unchanged(stage, ...list)) },
    { name: 'search', hold: 0.8, isSame: true, ...reads(stage, '/search?q=ab1', `${list[1]}&q=ab1`) },
    { name: 'one zone with 100 things inside', hold: 0.9, isSame: true, ...reads(stage, ...one) },
    { name: 'one zone with 100 things inside, unchanged', ...(await unchanged(stage, ...one)) },
    ownAccount(stage),
    {
      name: 'rule patch without move',
      hold: 0.12,
      ...onRule(stage, crowded, 'configuration-rules', '/patch', describe),
    },
    { name: 'rule move among 100 siblings', ...onRule(stage, crowded, 'configuration-rules', '/move', move(100)) },
    { name: 'rule move among 1,000 siblings', ...onRule(stage, long, 'rewrite-rules', '/move', move(1000)) },
    { name: 'refresh rotation', hold: 0.4, ...(await refresh(stage)) },
  ];
}

/** The cheapest request. */
export const ownAccount = (stage: Stage): Work => ({
  name: 'users/me',
  ...reads(stage, '/me', '/api/users/me'),
});

const reads = ({ floorToken, serviceToken }: Stage, floor: string, service: string) => ({
  floor: everywhere(() => jsonRequest('GET', floor, { token: floorToken })),
  service: everywhere(() => jsonRequest('GET', service, { token: serviceToken() })),
});

/** Reads with a matching `If-None-Match`. */
async function unchanged(stage: Stage, floor: string, service: string) {
  const sources = async (port: number, path: string, token: () => string): Promise<Source[]> => {
    const unless = (tag: string) => jsonRequest('GET', path, { token: token(), headers: { 'If-None-Match': tag } });
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: unless('"none"').headers });
    const tag = answer.headers.get('etag') ?? '';
    return everywhere(() => unless(tag));
  };
  return {
    floor: await sources(stage.floorPort, floor, () => stage.floorToken),
    service: await sources(stage.servicePort, service, stage.serviceToken),
  };
}

/** The change of a rule in the form of each server. */
interface RuleChange {
  readonly floor: object;
  readonly service: object;
}

/** Patches of one rule by one writer, whose time is mostly spent waiting for the database. */
function onRule(
  { floorToken, serviceToken }: Stage,
  { zone, rule: id }: CrowdedZone,
  list: string,
  floor: string,
  change: (count: number) => RuleChange,
): Pick<Work, 'floor' | 'service'> {
  const ofFloor = (count: number) =>
    jsonRequest('PATCH', floor, { token: floorToken, body: { zone, id, ...change(count).floor } });
  const ofService = (count: number) =>
    jsonRequest('PATCH', `/api/zones/${zone}/${list}/${id}`, { token: serviceToken(), body: change(count).service });
  return { floor: [counted(ofFloor)], service: [counted(ofService)] };
}

/** From the middle to one end, and from there back and forth between both ends. */
const move =
  (siblings: number) =>
  (count: number): RuleChange => {
    const to = placeAt(count + 1, siblings);
    return { floor: { from: placeAt(count, siblings), to }, service: { order: to } };
  };

const placeAt = (count: number, siblings: number): number => {
  if (count === 0) return siblings / 2 + 1;
  return (count % 2 === 1 ? 0.1 : 0.9) * siblings;
};

const describe = (count: number): RuleChange => {
  const change = { description: `Changed ${count} times by the measurement.` };
  return { floor: change, service: change };
};

/** Passes the number of earlier requests to `make`. */
const counted = (make: (count: number) => Request): Source => {
  let count = 0;
  return () => {
    count += 1;
    return make(count - 1);
  };
};

/** One chain per connection: each response contains the token for the next request. */
async function refresh({ servicePort }: Stage) {
  const chains = async (path: string) => {
    const tokens = await inTurn(accounts, (account) => logIn(servicePort, account));
    return tokens.map(({ refreshToken }) => chain(path, refreshToken));
  };
  return { floor: await chains('/refresh'), service: await chains('/api/auth/refresh') };
}

const chain = (path: string, first: string): Source => {
  let refreshToken = first;
  return () => ({
    ...jsonRequest('POST', path, { body: { refreshToken } }),
    learn: (body) => {
      // The service sends a new token with each refresh.
      ({ refreshToken } = JSON.parse(body) as { refreshToken: string });
    },
  });
};

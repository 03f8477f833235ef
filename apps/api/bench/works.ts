import { accounts, type CrowdedZone, type DataSet, logIn } from './data-set.ts';
import type { Request, Source } from './load.ts';

/** One kind of work: what each connection sends to the floor and to the service, and the ratio asked for. */
export interface Work {
  readonly name: string;
  /** Service to floor, answers per second: below `hold` it is too slow, at `aim` it is as fast as we want it. */
  readonly hold: number;
  readonly aim: number;
  readonly floor: readonly Source[];
  readonly service: readonly Source[];
  /** Both answer the same bytes, and it is checked that they do. */
  readonly isSame?: true;
}

/** What the floor's token and the service's tokens are, and what there is to work on. */
export interface Stage {
  readonly data: DataSet;
  readonly floorToken: string;
  /** Asked for every request: access tokens expire. */
  readonly serviceToken: () => string;
  readonly servicePort: number;
}

const connections = 8;

/** The same source on every connection. */
const everywhere = (source: Source): Source[] => Array.from({ length: connections }, () => source);

const get =
  (path: string, token: () => string): Source =>
  () => ({ method: 'GET', path, headers: { Authorization: `Bearer ${token()}`, Accept: 'application/json' } });

const write = (method: 'POST' | 'PATCH', path: string, token: string, body: object): Request => ({
  method,
  path,
  headers: {
    Accept: 'application/json',
    'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify(body),
});

/** Every work, in the order of the report. */
export async function worksOn(stage: Stage): Promise<Work[]> {
  return [...reads(stage), ...ruleWrites(stage), await refresh(stage), login()];
}

function reads({ data, floorToken, serviceToken }: Stage): Work[] {
  const read = (name: string, floor: string, service: string) => ({
    name,
    floor: everywhere(get(floor, () => floorToken)),
    service: everywhere(get(service, serviceToken)),
  });
  return [
    { ...read('list of 30 zones with settings', '/list', '/api/zones'), hold: 0.6, aim: 1.7, isSame: true },
    {
      ...read('one zone with 50 rules', `/zone?id=${data.zone}`, `/api/zones/${data.zone}`),
      hold: 0.6,
      aim: 3.5,
      isSame: true,
    },
    {
      ...read('page 300 of 334, exact total', '/deep', '/api/zones?page=300'),
      hold: 0.8,
      aim: 1.5,
      isSame: true,
    },
    { ...read('users/me', '/me', '/api/users/me'), hold: 0.6, aim: 0.9, isSame: true },
  ];
}

function ruleWrites({ data, floorToken, serviceToken }: Stage): Work[] {
  const path = ({ zone, rule }: CrowdedZone) => `/api/zones/${zone}/configuration-rules/${rule}`;
  const service = (body: (count: number) => object) =>
    data.crowded.map((each) => counted((count) => write('PATCH', path(each), serviceToken(), body(count))));
  const floor = (to: string, body: (count: number) => object) =>
    data.crowded.map(({ zone, rule: id }) =>
      counted((count) => write('PATCH', to, floorToken, { zone, id, ...body(count) })),
    );
  return [
    {
      name: 'rule move among 100 siblings',
      hold: 3,
      aim: 15,
      floor: floor('/move', move),
      service: service((count) => ({ order: move(count).to })),
    },
    {
      name: 'rule patch without move',
      hold: 0.5,
      aim: 0.95,
      floor: floor('/patch', describe),
      service: service(describe),
    },
  ];
}

/** From the middle to one end, and from there to the other and back. */
const move = (count: number): { from: number; to: number } => ({ from: placeAt(count), to: placeAt(count + 1) });

const placeAt = (count: number): number => {
  if (count === 0) return 51;
  return count % 2 === 1 ? 10 : 90;
};

const describe = (count: number): object => ({ description: `Changed ${count} times by the measurement.` });

/** A source that knows how many requests it has made before. */
const counted = (make: (count: number) => Request): Source => {
  let count = 0;
  return () => {
    const made = make(count);
    count += 1;
    return made;
  };
};

/** Every connection has a chain of its own: each answer holds the token of the next request. */
async function refresh({ servicePort }: Stage): Promise<Work> {
  const chains = async (path: string) => {
    const tokens = await Promise.all(accounts.map((account) => logIn(servicePort, account)));
    return tokens.map(({ refreshToken }) => chain(path, refreshToken));
  };
  const [floor, service] = [await chains('/refresh'), await chains('/api/auth/refresh')];
  return { name: 'refresh rotation', hold: 0.83, aim: 0.92, floor, service };
}

const chain = (path: string, first: string): Source => {
  let refreshToken = first;
  return () => ({
    ...write('POST', path, '', { refreshToken }),
    learn: (body) => {
      ({ refreshToken } = JSON.parse(body) as { refreshToken: string });
    },
  });
};

const login = (): Work => ({
  name: 'login',
  hold: 0.95,
  aim: 0.97,
  floor: accounts.map((account) => () => write('POST', '/login', '', account)),
  service: accounts.map((account) => () => write('POST', '/api/auth/login', '', account)),
});

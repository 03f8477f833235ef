import { accounts, type CrowdedZone, logIn } from './data-set.ts';
import type { Request, Source } from './load.ts';
import { reads } from './reads.ts';
import type { Stage, Work } from './work.ts';

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

/** All works, in the order of the report. */
export async function worksOn(stage: Stage): Promise<Work[]> {
  return [...(await reads(stage)), ...ruleWrites(stage), await refresh(stage), login()];
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
      hold: 0.7,
      aim: 0.95,
      floor: floor('/patch', describe),
      service: service(describe),
    },
  ];
}

/** From the middle to one end, and from there back and forth between both ends. */
const move = (count: number): { from: number; to: number } => ({ from: placeAt(count), to: placeAt(count + 1) });

const placeAt = (count: number): number => {
  if (count === 0) return 51;
  return count % 2 === 1 ? 10 : 90;
};

const describe = (count: number): object => ({ description: `Changed ${count} times by the measurement.` });

/** Passes the number of earlier requests to `make`. */
const counted = (make: (count: number) => Request): Source => {
  let count = 0;
  return () => {
    const made = make(count);
    count += 1;
    return made;
  };
};

/** One chain per connection: each response contains the token for the next request. */
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

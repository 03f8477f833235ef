import { accounts, logIn } from './data-set.ts';
import { jsonRequest, type Request, type Source } from './load.ts';
import { reads } from './reads.ts';
import type { Stage, Work } from './work.ts';
import type { CrowdedZone } from './zone-contents.ts';

/** All works, in the order of the report. */
export async function worksOn(stage: Stage): Promise<Work[]> {
  return [...(await reads(stage)), ...ruleWrites(stage), await refresh(stage), login()];
}

/**
 * By one writer, whose time is mostly spent waiting for the database, and by eight, each in its own zone, who keep both
 * cores busy.
 */
function ruleWrites(stage: Stage): Work[] {
  const works = ruleWritesInAllZones(stage);
  const byOne = works.map((work) => ({ ...work, floor: work.floor.slice(0, 1), service: work.service.slice(0, 1) }));
  return [...byOne, ...works.map((work) => ({ ...work, name: `${work.name}, ${work.service.length} writers` }))];
}

function ruleWritesInAllZones(stage: Stage): Work[] {
  const { crowded, long } = stage.data;
  return [
    {
      name: 'rule move among 100 siblings',
      ...onRules(stage, crowded, { list: 'configuration-rules', floor: '/move' }, move(100), ({ to }) => ({
        order: to,
      })),
    },
    {
      name: 'rule move among 1,000 siblings',
      ...onRules(stage, long, { list: 'rewrite-rules', floor: '/move' }, move(1000), ({ to }) => ({ order: to })),
    },
    {
      name: 'rule patch without move',
      hold: 0.25,
      ...onRules(stage, crowded, { list: 'configuration-rules', floor: '/patch' }, describe, (described) => described),
    },
  ];
}

/** A patch of one rule per zone, in the form of the floor and of the service. */
function onRules<Change extends object>(
  { floorToken, serviceToken }: Stage,
  zones: readonly CrowdedZone[],
  paths: { readonly list: string; readonly floor: string },
  change: (count: number) => Change,
  body: (change: Change) => object,
): Pick<Work, 'floor' | 'service'> {
  const path = ({ zone, rule }: CrowdedZone) => `/api/zones/${zone}/${paths.list}/${rule}`;
  return {
    floor: zones.map(({ zone, rule: id }) =>
      counted((count) =>
        jsonRequest('PATCH', paths.floor, { token: floorToken, body: { zone, id, ...change(count) } }),
      ),
    ),
    service: zones.map((each) =>
      counted((count) => jsonRequest('PATCH', path(each), { token: serviceToken(), body: body(change(count)) })),
    ),
  };
}

/** From the middle to one end, and from there back and forth between both ends. */
const move =
  (siblings: number) =>
  (count: number): { from: number; to: number } => ({
    from: placeAt(count, siblings),
    to: placeAt(count + 1, siblings),
  });

const placeAt = (count: number, siblings: number): number => {
  if (count === 0) return siblings / 2 + 1;
  return (count % 2 === 1 ? 0.1 : 0.9) * siblings;
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
  return { name: 'refresh rotation', hold: 0.83, floor, service };
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

const login = (): Work => ({
  name: 'login',
  floor: accounts.map((account) => () => jsonRequest('POST', '/login', { body: account })),
  service: accounts.map((account) => () => jsonRequest('POST', '/api/auth/login', { body: account })),
});

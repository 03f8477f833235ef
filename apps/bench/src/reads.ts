import { accounts, logIn } from './data-set.ts';
import { type Content, jsonRequest, type Source } from './load.ts';
import type { Stage, Work } from './work.ts';

const connections = 8;

/** The same source on every connection. */
const everywhere = (source: Source): Source[] => Array.from({ length: connections }, () => source);

const get =
  (path: string, content: () => Content): Source =>
  () =>
    jsonRequest('GET', path, content());

/** The query of the administration pages. */
const byName = '/api/zones?order[name]=asc';

/** All read-only works. */
export async function reads(stage: Stage): Promise<Work[]> {
  const { data, floorToken, serviceToken } = stage;
  const withSession = () => ({ token: serviceToken() });
  const read = (name: string, floor: string, service: string, content: () => Content = withSession) => ({
    name,
    floor: everywhere(get(floor, () => ({ token: floorToken }))),
    service: everywhere(get(service, content)),
    isSame: true as const,
  });
  const zone = [`/zone?id=${data.zone}`, `/api/zones/${data.zone}`] as const;
  return [
    { ...read('list of 30 zones by name', '/list', byName), hold: 0.9 },
    { ...(await unchanged(stage, 'list of 30 zones by name', '/list', byName)), hold: 1.1 },
    { ...read('list with exact total', '/list-with-total', byName), hold: 1 },
    { ...read('page 300 of 334', '/list-with-total?page=300', `${byName}&page=300`), hold: 0.8 },
    { ...read('search', '/search?q=ab1', `${byName}&q=ab1`), hold: 0.8 },
    { ...read('one zone with 100 things inside', ...zone), hold: 0.9 },
    await unchanged(stage, 'one zone with 100 things inside', ...zone),
    read('users/me', '/me', '/api/users/me'),
    read('users/me with an API token', '/me', '/api/users/me', () => ({ headers: { 'X-API-TOKEN': data.apiToken } })),
    ...(await ofOthers(stage)),
  ];
}

/** The list for members of one organization, and of two hundred. */
async function ofOthers({ data, floorToken, servicePort }: Stage): Promise<Work[]> {
  const list = async (name: string, account: number, organizations: readonly number[]): Promise<Work> => {
    const credentials = accounts[account];
    if (credentials === undefined) throw new Error(`There is no account ${account}.`);
    const { token } = await logIn(servicePort, credentials);
    return {
      name: `list by name for a member of ${name}`,
      floor: everywhere(get(`/list?organizations=${organizations.join(',')}`, () => ({ token: floorToken }))),
      service: everywhere(get(byName, () => ({ token }))),
      hold: 0.9,
    };
  };
  return [await list('1 organization', 1, [data.single]), await list('200 organizations', 2, data.many)];
}

/** The same with a matching `If-None-Match`. */
async function unchanged(
  { floorPort, servicePort, floorToken, serviceToken }: Stage,
  name: string,
  floor: string,
  service: string,
): Promise<Work> {
  const sources = async (port: number, path: string, token: () => string): Promise<Source[]> => {
    const unless = (tag: string) => jsonRequest('GET', path, { token: token(), headers: { 'If-None-Match': tag } });
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: unless('"none"').headers });
    const tag = answer.headers.get('etag') ?? '';
    return everywhere(() => unless(tag));
  };
  return {
    name: `${name}, unchanged`,
    floor: await sources(floorPort, floor, () => floorToken),
    service: await sources(servicePort, service, serviceToken),
  };
}

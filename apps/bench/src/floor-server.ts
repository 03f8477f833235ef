/**
 * The floor: the minimum work for the same responses. Plain node:http, prepared statements and verification of the
 * access token's signature; no session check in the database, no limits, no log, only two header fields.
 */
import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type NestedRow, type RuleRow, rule, type ZoneRow, zoneDetails, zoneList } from './floor-answers.ts';
import { argon2, jwt, pg } from './libraries.ts';
import { sql } from './sql.ts';

const variable = (name: string): string => process.env[name] ?? '';
const key = createSecretKey(Buffer.from(variable('FLOOR_KEY'), 'hex'));
const organizations = variable('FLOOR_ORGANIZATIONS').split(',').map(Number);
/** The requested organizations, by default those of the first account. */
const organizationsIn = (parameters: URLSearchParams): readonly number[] =>
  parameters.get('organizations')?.split(',').map(Number) ?? organizations;

const pool = new pg.Pool({ connectionString: variable('DATABASE_URL'), max: 20 });

const texts = new Map<string, string>();
const textOf = (name: string): string => {
  const text = texts.get(name) ?? sql(`floor/${name}`);
  texts.set(name, text);
  return text;
};

const rows = async <Row>(name: string, values: readonly unknown[]): Promise<Row[]> =>
  // The caller names the columns that the statement selects.
  (await pool.query({ name, text: textOf(name), values })).rows as Row[];

const first = async <Row>(name: string, values: readonly unknown[]): Promise<Row> => {
  const [row] = await rows<Row>(name, values);
  if (row === undefined) throw new Error(`${name} found nothing`);
  return row;
};

const userOf = (request: IncomingMessage): string => {
  const claims = jwt.verify((request.headers.authorization ?? '').slice(7), key, { algorithms: ['HS256'] });
  // Only tokens made by `access` and the preparation are signed with this key.
  return (claims as { sub: string }).sub;
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const access = (sub: string): string => jwt.sign({ sub }, key, { algorithm: 'HS256', expiresIn: 900 });

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  // A request without an encoding emits buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // The benchmark sends nothing but objects.
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

type Handler = (request: IncomingMessage, url: URL) => Promise<string>;

const handlers: Readonly<Record<string, Handler>> = {
  list: async (request, { searchParams }) => {
    userOf(request);
    return zoneList(await rows<ZoneRow>('list', [organizationsIn(searchParams), 0]));
  },
  'list-with-total': async (request, { searchParams }) => {
    userOf(request);
    const offset = (Number(searchParams.get('page') ?? 1) - 1) * 30;
    const [page] = await Promise.all([
      rows<ZoneRow>('list', [organizations, offset]),
      first<{ total: number }>('total', [organizations]),
    ]);
    return zoneList(page);
  },
  search: async (request, { searchParams }) => {
    userOf(request);
    const values = [organizations, `%${searchParams.get('q') ?? ''}%`];
    const [page] = await Promise.all([rows<ZoneRow>('search', values), first('search-total', values)]);
    return zoneList(page);
  },
  zone: async (request, { searchParams }) => {
    userOf(request);
    const id = searchParams.get('id');
    const [zone, nested] = await Promise.all([
      first<ZoneRow & { basicAuthUserCount: number }>('zone', [id]),
      rows<NestedRow>('nested', [id]),
    ]);
    return zoneDetails(zone, nested);
  },
  me: async (request) => {
    const { createdAt, updatedAt, ...row } = await first<{ createdAt: Date; updatedAt: Date }>('profile', [
      userOf(request),
    ]);
    return JSON.stringify({ ...row, createdAt, updatedAt });
  },
  move: async (request) => {
    const user = userOf(request);
    const { zone, id, from, to } = await bodyOf(request);
    await rows('move', [zone, id, user, from, to]);
    return JSON.stringify({ id, order: to });
  },
  patch: async (request) => {
    const user = userOf(request);
    const { zone, id, description } = await bodyOf(request);
    return rule(String(zone), { ...(await first<RuleRow>('patch', [zone, id, user, description])), order: 1 });
  },
  refresh: async (request) => {
    const { refreshToken } = await bodyOf(request);
    const successor = randomBytes(32).toString('base64url');
    const { sessionId } = await first<{ sessionId: string }>('refresh', [
      hashOf(String(refreshToken)),
      hashOf(successor),
    ]);
    return JSON.stringify({ token: access(sessionId), refreshToken: successor });
  },
  login: async (request) => {
    const { email, password } = await bodyOf(request);
    const { id, passwordHash } = await first<{ id: string; passwordHash: string }>('account', [email]);
    if (!(await argon2.verify(passwordHash, String(password)))) throw new Error('wrong password');
    const [session, refreshToken] = [randomUUID(), randomBytes(32).toString('base64url')];
    await rows('open', [session, id, hashOf(refreshToken)]);
    return JSON.stringify({ token: access(id), refreshToken });
  },
  readyz: async () => JSON.stringify(await rows('one', [])),
};

/** Answers a conditional request with 304 and the tag if nothing has changed. */
function isKnown({ headers }: IncomingMessage, response: ServerResponse, body: string): boolean {
  const expected = headers['if-none-match'];
  if (expected === undefined) return false;
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  response.setHeader('ETag', tag);
  if (tag !== expected) return false;
  response.statusCode = 304;
  response.end();
  return true;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://floor');
    const body = await handlers[url.pathname.slice(1)]?.(request, url);
    if (body === undefined) throw new Error('no such work');
    if (isKnown(request, response, body)) return;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  } catch (failure) {
    response.statusCode = 500;
    response.end(String(failure));
  }
}

createServer((request, response) => void serve(request, response)).listen(Number(variable('PORT')), '127.0.0.1');

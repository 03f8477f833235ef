/**
 * The floor: the minimum work for the same responses. Plain node:http, prepared statements and verification of the
 * access token's signature: no session, role, history, audit log, limits or log, only two header fields.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { type NestedRow, type RuleRow, rule, type ZoneRow, zoneDetails, zoneList } from './floor-answers.ts';
import { signed, subjectOf } from './floor-token.ts';
import { sql } from './sql.ts';

/** The storage's own driver, so that floor and service differ only in their code. It comes without a type. */
const pg = createRequire(new URL('../../../packages/postgres/package.json', import.meta.url))('pg') as {
  Pool: new (options: {
    connectionString: string;
    max: number;
  }) => {
    query(statement: { name: string; text: string; values: readonly unknown[] }): Promise<{ rows: unknown[] }>;
  };
};

const variable = (name: string): string => process.env[name] ?? '';
const key = Buffer.from(variable('FLOOR_KEY'), 'hex');
const organizations = variable('FLOOR_ORGANIZATIONS').split(',').map(Number);
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

const userOf = ({ headers }: IncomingMessage): string => subjectOf((headers.authorization ?? '').slice(7), key);
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  // A request without an encoding emits buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // The benchmark sends nothing but objects.
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

type Handler = (request: IncomingMessage, url: URL) => Promise<string>;

const handlers: Readonly<Record<string, Handler>> = {
  list: async (request) => {
    userOf(request);
    return zoneList(await rows<ZoneRow>('list', [organizations]));
  },
  search: async (request, { searchParams }) => {
    userOf(request);
    return zoneList(await rows<ZoneRow>('search', [organizations, `%${searchParams.get('q') ?? ''}%`]));
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
    userOf(request);
    const { zone, id, from, to } = await bodyOf(request);
    return rule(String(zone), await first<RuleRow>('move', [zone, id, from, to]));
  },
  patch: async (request) => {
    userOf(request);
    const { zone, id, description } = await bodyOf(request);
    return rule(String(zone), await first<RuleRow>('patch', [zone, id, description]));
  },
  refresh: async (request) => {
    const { refreshToken } = await bodyOf(request);
    const successor = randomBytes(32).toString('base64url');
    const hashes = [hashOf(String(refreshToken)), hashOf(successor)];
    const { sessionId } = await first<{ sessionId: string }>('refresh', hashes);
    return JSON.stringify({ token: signed(sessionId, key), refreshToken: successor });
  },
  readyz: async () => JSON.stringify(await rows('ready', [])),
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

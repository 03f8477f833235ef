import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Evaluation, parseFacts, type ResponseAnswer, utf8 } from '@zonewright/engine';
import bcrypt from 'bcrypt';
import * as fc from 'fast-check';
import { okOf } from '../../../../packages/engine/test/outcomes.ts';
import type { AddressDatabases } from '../../src/deciding/address-databases.ts';
import type { ServedZone } from '../../src/documents/accepted-zone.ts';
import { entriesOf, openEdge, type TestEdge } from '../support/edge.ts';
import { httpOrigin, type ReceivedRequest, type TestOrigin } from '../support/origin.ts';
import { servedZone } from '../support/zones.ts';
import { requests, type SentRequest, zones } from './arbitraries.ts';

const user = { username: 'ann', hash: bcrypt.hashSync('password', 4) };
const right = `Basic ${Buffer.from('ann:password').toString('base64')}`;

/** What happened to a request: at the client, and at the origin if it got there. */
interface Observed {
  readonly disposition: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly lines: readonly string[];
  readonly atOrigin: { readonly target: string; readonly host: string; readonly lines: readonly string[] } | undefined;
}

/** How evaluations and the edge differ; what was seen, for the reader to judge whether the test is any good. */
export interface Differences {
  readonly differences: readonly string[];
  readonly seen: Readonly<Record<string, number>>;
}

/**
 * Sends random requests to an edge with random zones, one after the other, and compares what client and origin get with
 * what evaluation says.
 */
export async function differences(
  count: { readonly zones: number; readonly requests: number },
  seed: number,
): Promise<Differences> {
  let given: Pick<SentRequest, 'status' | 'answer'> = { status: 200, answer: [] };
  const origin = await httpOrigin((_, response) => void response.writeHead(given.status, [...given.answer]).end());
  const known = { country: 'XX', asn: null as number | null };
  const facts: AddressDatabases = { country: () => known.country, asn: () => known.asn, close: () => undefined };
  const first = servedZone({ hostnames: ['any'] });
  const edge = await openEdge([first], { trustedProxies: ['127.0.0.1'] }, { facts });
  const result: string[] = [];
  const seen: Record<string, number> = {};
  for (const draft of fc.sample(zones(origin.port, user), { numRuns: count.zones, seed })) {
    const zone = servedZone(draft);
    edge.replace(zone);
    for (const request of fc.sample(requests, { numRuns: count.requests, seed: (seed += 1) })) {
      given = request;
      Object.assign(known, { country: request.country, asn: request.asn });
      const lines = sentLines(request);
      const observed = await observe(edge, origin, request, lines);
      const evaluation = evaluated(zone, request, lines);
      seen[observed.disposition] = (seen[observed.disposition] ?? 0) + 1;
      const difference = differenceOf(zone, evaluation, request, lines, observed);
      if (difference !== undefined) result.push(JSON.stringify({ difference, request, evaluation, observed, draft }));
    }
  }
  await edge.close(0);
  await origin.close();
  return { differences: result, seen };
}

/** The field lines of a request, besides `Host`: the client speaks by way of a trusted proxy. */
const sentLines = ({ headers, ip, scheme }: SentRequest): readonly (readonly [string, string])[] => [
  ...headers.map(({ name, value }) => [name, value === 'right' ? right : value] as const),
  ['X-Forwarded-For', ip],
  ['X-Forwarded-Proto', scheme],
];

function evaluated(
  { engine }: ServedZone,
  request: SentRequest,
  lines: readonly (readonly [string, string])[],
): Evaluation {
  const { headers: _, answer: __, status: ___, ...rest } = request;
  return engine.evaluate(okOf(parseFacts({ ...rest, headers: lines.map(([name, value]) => ({ name, value })) })));
}

async function observe(
  edge: TestEdge,
  origin: TestOrigin,
  { method, target, authority }: SentRequest,
  lines: readonly (readonly [string, string])[],
): Promise<Observed> {
  origin.received.splice(0);
  edge.entries.splice(0);
  const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${authority}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1');
  const text = await everything(socket);
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const received = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n').slice(1);
  const disposition = (await entriesOf(edge, 1))[0]?.disposition ?? '';
  return {
    disposition: ['refused', 'unparsed'].includes(disposition) ? 'rejected' : disposition,
    status: Number(status),
    location: received.find((line) => line.startsWith('Location: '))?.slice('Location: '.length),
    lines: received.filter((line) => !ofNode.test(line)).map(trimmedLine),
    atOrigin: atOrigin(origin.received[0]),
  };
}

/** What Node writes by itself. */
const ofNode = /^(?:Date|Connection|Keep-Alive|Transfer-Encoding|Content-Length):/i;

async function everything(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part: string) => (text += part));
  await once(socket, 'close');
  return text;
}

const trimmedLine = (line: string): string => line.replace(/:\s+/, ': ').trimEnd();

function atOrigin(received: ReceivedRequest | undefined): Observed['atOrigin'] {
  if (received === undefined) return undefined;
  const { target, headers, rawHeaders } = received;
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [trimmedLine(`${name}: ${rawHeaders[at + 1]}`)] : []));
  return {
    target,
    host: headers.host ?? '',
    lines: lines.filter((line) => !/^(?:host|connection|content-length):/i.test(line)),
  };
}

/** The first difference between what evaluation says and what happened. */
function differenceOf(
  zone: ServedZone,
  evaluation: Evaluation,
  request: SentRequest,
  lines: readonly (readonly [string, string])[],
  { disposition, status, location, lines: atClient, atOrigin: got }: Observed,
): string | undefined {
  if (hasWrongCredentials(evaluation, lines)) return disposition === 'unauthorized' ? undefined : 'credentials';
  if (disposition !== evaluation.disposition) return 'disposition';
  if (status !== (evaluation.status ?? request.status)) return 'status';
  if (location !== evaluation.location) return 'location';
  const { origin, response } = evaluation;
  if (disposition !== 'serve') return got === undefined ? undefined : 'the origin was asked';
  if (origin === undefined || response === undefined || got === undefined) return 'no request to the origin';
  if (got.target !== origin.target) return 'target';
  if (!origin.servers?.some(({ host }) => host === got.host)) return 'host';
  if (!isSame(got.lines, expectedAtOrigin(evaluation, request, lines))) return 'header to the origin';
  return isSame(atClient, expectedAtClient(zone, evaluation, response, request)) ? undefined : 'header to the client';
}

const hasWrongCredentials = ({ phases }: Evaluation, lines: readonly (readonly [string, string])[]): boolean =>
  phases?.some((each) => each.phase === 'basicAuth' && each.required === 'true' && each.credentials === 'given') ===
    true && !lines.some(([name, value]) => name === 'Authorization' && value === right);

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

const named = (name: string) => (line: string) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`);
const line = (name: string, value: string) => trimmedLine(`${name}: ${utf8(value)}`);

/** Section 9 of evaluation, and what an edge adds. */
function expectedAtOrigin(
  { origin, request }: Evaluation,
  { authority, target, ip }: SentRequest,
  lines: readonly (readonly [string, string])[],
): readonly string[] {
  const { remove = [], set = [] } = origin?.headers ?? {};
  let result = lines.map(([name, value]) => trimmedLine(`${name}: ${value}`));
  for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', ...remove])
    result = result.filter((each) => !named(name)(each));
  for (const { name } of set) result = result.filter((each) => !named(name)(each));
  return [
    ...result,
    ...set.map(({ name, value }) => line(name, value)),
    `X-Forwarded-For: ${ip}, 127.0.0.1`,
    `X-Forwarded-Proto: ${request?.scheme}`,
    `X-Forwarded-Host: ${/^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? authority}`,
    'Via: 1.1 zonewright',
    'CDN-Loop: zonewright-652342aaaf270a42',
  ];
}

/** Section 10 of evaluation, step by step. */
function expectedAtClient(
  zone: ServedZone,
  evaluation: Evaluation,
  { strip = [], cacheControl, remove = [], set = [], add = [], debug }: ResponseAnswer,
  { answer, status, headers }: SentRequest,
): readonly string[] {
  let lines = answer.flatMap((name, at) => (at % 2 === 0 ? [line(name, answer[at + 1] ?? '')] : []));
  const drop = (name: string) => void (lines = lines.filter((each) => !named(name)(each)));
  strip.forEach(drop);
  const isUsedUp = evaluation.origin?.headers?.remove?.includes('Authorization') ?? false;
  const isPersonal =
    (headers.some(({ name }) => name === 'Authorization') && !isUsedUp) ||
    lines.some((each) => /^set-cookie:|^cache-control:(?!.*"b, private").*(private|no-store)/i.test(each));
  const isShared = (status >= 200 && status < 300) || [301, 304, 308].includes(status);
  if (typeof cacheControl === 'string' && !isPersonal && isShared) {
    ['Cache-Control', 'Expires'].forEach(drop);
    lines.push(line('Cache-Control', cacheControl));
  }
  remove.forEach(drop);
  set.forEach(({ name }) => drop(name));
  lines.push(...[...set, ...add].map(({ name, value }) => line(name, value)));
  if (debug !== 'true') return lines;
  const key = evaluation.cache?.key?.sha256;
  const rules = evaluation.phases?.flatMap((phase) =>
    'steps' in phase ? phase.steps.filter(({ outcome }) => outcome === 'matched').map((step) => step.rule) : [],
  );
  return [
    ...lines,
    'X-Cache: pass',
    ...(key === undefined ? [] : [`X-Cache-Key: ${key}`]),
    `X-Zone-Revision: ${zone.document.revision}`,
    ...(rules === undefined || rules.length === 0 ? [] : [`X-Rules: ${rules.join(', ')}`]),
  ];
}

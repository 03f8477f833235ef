import { once } from 'node:events';
import { request as begin } from 'node:http';
import { connect } from 'node:net';
import { type IpRange, parseIpRange } from '@zonewright/engine';
import { okOf } from '../../../../packages/engine/test/outcomes.ts';
import type { AddressDatabases } from '../../src/deciding/address-databases.ts';
import type { ServedZone } from '../../src/documents/accepted-zone.ts';
import type { RequestEntry } from '../../src/log/request-log.ts';
import { openProxy, type Proxy, type ProxyParts, type ProxySettings } from '../../src/proxying/open-proxy.ts';
import { transformerLimits } from '../../src/transforming/pool/limits.ts';
import { Transformers } from '../../src/transforming/pool/transformers.ts';
import { zonesOf } from './zones.ts';

/** Addresses of which nothing is known, as without files. */
const noDatabases: AddressDatabases = { country: () => null, asn: () => null, close: () => undefined };

/** Settings that tests change; networks as text. */
export interface TestSettings {
  readonly trustedProxies?: readonly string[];
  readonly proxyProtocol?: boolean;
  readonly originNetworks?: readonly string[];
  readonly logsClients?: boolean;
  readonly stateDir?: string;
  readonly tlsPort?: number;
}

const settingsOf = ({
  trustedProxies = [],
  proxyProtocol = false,
  originNetworks = ['127.0.0.0/8', '::1'],
  logsClients = false,
  stateDir = '',
  tlsPort,
}: TestSettings): ProxySettings => ({
  serviceUrl: 'http://service.example',
  host: '127.0.0.1',
  port: 0,
  privateHost: '127.0.0.1',
  privatePort: 0,
  trustedProxies: trustedProxies.map(rangeOf),
  proxyProtocol,
  originNetworks: originNetworks.map(rangeOf),
  logsClients,
  stateDir,
  tlsPort,
});

const rangeOf = (text: string): IpRange => okOf(parseIpRange(text));

/** A running edge. */
export interface TestEdge extends Proxy {
  readonly entries: RequestEntry[];
  readonly replace: (zone: ServedZone) => void;
}

/** Of all edges, with more patience than usual, because tests run beside others. Idle processes end with this one. */
const transformers = new Transformers(
  {
    ...transformerLimits,
    startWaitMilliseconds: 15_000,
    milliseconds: { image: 15_000, page: 15_000 },
    waitSeconds: 15,
  },
  () => undefined,
);

/** Runs the zones on a free port. */
export async function openEdge(
  zones: readonly ServedZone[],
  more: TestSettings = {},
  parts: Partial<ProxyParts> = {},
): Promise<TestEdge> {
  const entries: RequestEntry[] = [];
  const table = zonesOf(...zones);
  const proxy = await openProxy({
    zones: table,
    facts: noDatabases,
    transformers,
    record: (entry) => entries.push(entry),
    ...parts,
    settings: settingsOf(more),
  });
  return { ...proxy, entries, replace: table.replace };
}

/** The entries of an edge, once there are enough: a client may have its answer a little earlier. */
export async function entriesOf({ entries }: TestEdge, count: number): Promise<readonly RequestEntry[]> {
  while (entries.length < count) await new Promise((resolve) => setTimeout(resolve, 2));
  return entries;
}

/** A response as a client got it. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly text: string;
}

/** A request to an edge; the host is `a.example` by default. */
export function ask(
  { port }: { readonly port: number },
  target = '/',
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly body?: string | Buffer;
  } = {},
): Promise<Response> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const all = { Host: 'a.example', ...headers } as Record<string, string | string[]>;
    const sent = begin({ host: '127.0.0.1', port, method, path: target, headers: all, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const whole = Buffer.concat(parts);
        const { statusCode = 0, headers: fields, rawHeaders } = response;
        resolve({ status: statusCode, headers: fields, rawHeaders, body: whole, text: whole.toString('utf8') });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes and resolves to all that comes until the connection is closed. */
export async function raw({ port }: { readonly port: number }, ...parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  for (const part of parts) socket.write(part, 'latin1');
  if (!socket.closed) await once(socket, 'close');
  return text;
}

/** The statuses of the answers in what came. */
export const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

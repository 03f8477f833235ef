import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Server as Listener, Socket } from 'node:net';
import type { IpRange } from '@zonewright/engine';
import type { AddressDatabases } from '../deciding/address-databases.ts';
import { credentialCheck } from '../deciding/credentials.ts';
import type { Zones } from '../documents/served-zone.ts';
import { Clients } from '../framing/client.ts';
import { type ConnectionLimits, connectionLimits, endSoon, strictServer } from '../framing/http-server.ts';
import { proxiedConnections } from '../framing/proxied-connections.ts';
import type { RequestEntry } from '../log/request-entry.ts';
import { type OriginLimits, originLimits } from '../origins/origin-pools.ts';
import { openOrigins } from '../origins/origins.ts';
import { rawAnswer } from './answers.ts';
import type { ProxyContext } from './context.ts';
import { receive } from './requests.ts';

/** The settings that concern requests. */
export interface ProxySettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Addresses and CIDR networks whose forwarding fields are believed. */
  readonly trustedProxies: readonly IpRange[];
  /** Whether every connection begins with a PROXY protocol header. */
  readonly proxyProtocol: boolean;
  /** Networks in which origins may lie although they are not public. */
  readonly originNetworks: readonly IpRange[];
}

/** What the proxy is made of. */
export interface ProxyParts {
  readonly zones: Zones;
  /** Countries and autonomous systems of clients. */
  readonly facts: AddressDatabases;
  readonly settings: ProxySettings;
  /** Told of every request once its answer is over; used for the log and for metrics. */
  readonly record: (entry: RequestEntry) => void;
  readonly connectionLimits?: ConnectionLimits;
  readonly originLimits?: OriginLimits;
  /** Certificates of authorities that vouch for origins, in PEM; by default those that Node knows. */
  readonly authorities?: string;
}

/** A running proxy. */
export interface Proxy {
  readonly port: number;
  /** Takes no more connections, and waits for the answers that are on their way, for a limited time. */
  close(graceSeconds?: number): Promise<void>;
}

/** Listens for requests and answers them as the zones say. Rejects if the port is taken. */
export async function openProxy(parts: ProxyParts): Promise<Proxy> {
  const { settings } = parts;
  const origins = openOrigins({
    allowed: settings.originNetworks,
    limits: parts.originLimits ?? originLimits,
    authorities: parts.authorities,
  });
  const context: ProxyContext = {
    zones: parts.zones,
    clients: new Clients(settings.trustedProxies),
    databases: parts.facts,
    credentials: credentialCheck(),
    origins,
    record: parts.record,
  };
  const upgraded = new Set<Socket>();
  const server = serverOf(context, upgraded, parts.connectionLimits ?? connectionLimits);
  const listener: Listener = settings.proxyProtocol
    ? proxiedConnections({
        next: (socket) => server.emit('connection', socket),
        refused: () => parts.record({ ...unparsed, status: 0 }),
      })
    : server;
  await listening(listener, settings);
  return {
    // A listener on a port has such an address.
    port: (listener.address() as AddressInfo).port,
    close: async (graceSeconds = 10) => {
      await closed(listener, server, upgraded, graceSeconds);
      await origins.close();
    },
  };
}

/** The entry of a request that cannot be parsed, or of a connection without a header before it: nothing is trusted. */
const unparsed = {
  disposition: 'unparsed',
  attempts: 0,
  cache: 'none',
  complete: true,
  milliseconds: 0,
} as const satisfies Partial<RequestEntry>;

function serverOf(context: ProxyContext, upgraded: Set<Socket>, limits: ConnectionLimits): Server {
  return strictServer(
    {
      request: (request, response) => receive(context, { request, response, upgrade: undefined }),
      upgrade: (request, socket, head) => {
        upgraded.add(socket);
        socket.once('close', () => upgraded.delete(socket));
        receive(context, { request, response: responseOn(request, socket), upgrade: { socket, head } });
      },
      refusal: rawAnswer,
      refused: (status) => context.record({ ...unparsed, status }),
    },
    limits,
  );
}

/** Node makes no response for a handshake. The last answer on the connection, unless it is upgraded. */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  socket.on('error', () => socket.destroy());
  response.once('finish', () => endSoon(socket));
  return response;
}

const listening = (listener: Listener, { host, port }: ProxySettings): Promise<void> =>
  new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, () => {
      listener.off('error', reject);
      resolve();
    });
  });

async function closed(
  listener: Listener,
  server: Server,
  upgraded: ReadonlySet<Socket>,
  graceSeconds: number,
): Promise<void> {
  const ended = new Promise((resolve) => listener.close(resolve));
  server.closeIdleConnections();
  for (const socket of upgraded) socket.destroy();
  const timer = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  await ended;
  clearTimeout(timer);
}

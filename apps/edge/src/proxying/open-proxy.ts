import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as Listener, Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { AddressDatabases } from '../deciding/address-databases.ts';
import { credentialCheck } from '../deciding/credentials.ts';
import type { Zones } from '../documents/accepted-zone.ts';
import { Clients } from '../framing/client.ts';
import { type ConnectionLimits, connectionLimits, endSoon, strictServer } from '../framing/http-server.ts';
import { ownCertificate } from '../framing/own-certificate.ts';
import { proxiedConnections } from '../framing/proxied-connections.ts';
import { SlowClients } from '../framing/slow-clients.ts';
import { listen } from '../listen.ts';
import type { RequestEntry } from '../log/request-log.ts';
import { type OriginLimits, originLimits } from '../origins/origin-pools.ts';
import { openOrigins } from '../origins/origins.ts';
import { OwnListeners } from '../origins/own-listeners.ts';
import type { Settings } from '../settings/settings.ts';
import { type ShareBounds, shareBounds } from '../shares/bounds.ts';
import { ClientConnections } from '../shares/client-connections.ts';
import { ZoneShares } from '../shares/zone-shares.ts';
import type { Transformers } from '../transforming/pool/transformers.ts';
import { rawAnswer } from './answers.ts';
import { ForwardingLoops } from './forwarding-loops.ts';
import { receive } from './requests.ts';
import type { ProxyContext } from './visit.ts';

/** The settings that concern requests. */
export type ProxySettings = Pick<
  Settings,
  | 'serviceUrl'
  | 'host'
  | 'port'
  | 'privateHost'
  | 'privatePort'
  | 'trustedProxies'
  | 'proxyProtocol'
  | 'originNetworks'
  | 'logsClients'
  | 'stateDir'
  | 'tlsPort'
>;

/** What the proxy is made of. */
export interface ProxyParts {
  readonly zones: Zones;
  /** Countries and autonomous systems of clients. */
  readonly facts: AddressDatabases;
  readonly settings: ProxySettings;
  readonly transformers: Transformers;
  /** Told of every request once its answer is over; used for the log and for metrics. */
  readonly record: (entry: RequestEntry) => void;
  readonly connectionLimits?: ConnectionLimits;
  readonly originLimits?: OriginLimits;
  readonly shareBounds?: ShareBounds;
  /** Certificates of authorities that vouch for origins, in PEM; by default those that Node knows. */
  readonly authorities?: string;
}

/** Listens for requests and answers them as the zones say. Rejects with a `StartFailure` if it cannot. */
export async function openProxy(parts: ProxyParts) {
  const { settings } = parts;
  const own = new OwnListeners();
  const context = contextOf(parts, own);
  const upgraded = new Set<Socket>();
  const server = serverOf(context, upgraded, parts.connectionLimits ?? connectionLimits);
  const connections = new ClientConnections((parts.shareBounds ?? shareBounds).client.connections);
  server.prependListener('connection', (socket: Socket) => limit(context, connections, socket));
  context.slowClients.watch(server);
  const listener = settings.proxyProtocol ? proxied(context, server) : server;
  const port = await listen(listener, { ...settings, variable: 'PORT' });
  const tls = settings.tlsPort === undefined ? undefined : await openTls(settings, settings.tlsPort, server);
  own.add({ address: settings.host, port });
  if (tls !== undefined) own.add({ address: settings.host, port: tls.port });
  own.add({ address: settings.privateHost, port: settings.privatePort });
  return {
    port,
    tlsPort: tls?.port,
    /** Takes no more connections, and waits for the answers that are on their way, for a limited time. */
    close: async (graceSeconds = 10): Promise<void> => {
      const listeners = tls === undefined ? [listener] : [listener, tls.listener];
      await closed(listeners, server, upgraded, graceSeconds);
      context.slowClients.close();
      await context.origins.close();
    },
  };
}

function contextOf(parts: ProxyParts, own: OwnListeners): ProxyContext {
  const { settings, shareBounds: bounds = shareBounds, connectionLimits: limits = connectionLimits } = parts;
  return {
    zones: parts.zones,
    clients: new Clients(settings.trustedProxies),
    databases: parts.facts,
    credentials: credentialCheck(),
    origins: openOrigins({
      allowed: settings.originNetworks,
      own,
      poolsPerZone: bounds.zone.pools,
      limits: parts.originLimits ?? originLimits,
      authorities: parts.authorities,
    }),
    shares: new ZoneShares(bounds),
    slowClients: new SlowClients(limits),
    loops: new ForwardingLoops(settings.serviceUrl),
    upgradedIdleSeconds: limits.upgradedIdleSeconds,
    transformers: parts.transformers,
    record: parts.record,
    logsClients: settings.logsClients,
  };
}

/** Closes a connection of a client that has too many. Trusted proxies have those of all their clients. */
function limit({ clients, record }: ProxyContext, connections: ClientConnections, socket: Socket): void {
  const peer = clients.peerOf(socket);
  if (peer === undefined || peer.isTrusted || connections.admit(peer.network, socket)) return;
  socket.destroy();
  record({ ...unparsed, status: 0, share: 'connections' });
}

const proxied = ({ clients, record }: ProxyContext, server: Server): Listener =>
  proxiedConnections({
    mayTell: (socket) => clients.mayTell(socket),
    next: (socket) => server.emit('connection', socket),
    refused: () => record({ ...unparsed, status: 0 }),
  });

/** A running proxy. */
export type Proxy = Awaited<ReturnType<typeof openProxy>>;

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

/** Answers the same requests over TLS. */
async function openTls({ host, stateDir }: ProxySettings, port: number, server: Server) {
  const listener = createServer({ ...(await ownCertificate(stateDir)), ALPNProtocols: ['http/1.1'] }, (socket) =>
    server.emit('connection', socket),
  );
  // Of clients that do not trust the certificate, most of all.
  listener.on('tlsClientError', (_error, socket) => socket.destroy());
  return { listener, port: await listen(listener, { host, port, variable: 'EDGE_TLS_PORT' }) };
}

async function closed(
  listeners: readonly Listener[],
  server: Server,
  upgraded: ReadonlySet<Socket>,
  graceSeconds: number,
): Promise<void> {
  const ended = Promise.all(listeners.map((each) => new Promise((resolve) => each.close(resolve))));
  server.closeIdleConnections();
  for (const socket of upgraded) socket.destroy();
  const timer = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  await ended;
  clearTimeout(timer);
}

import type { IpRange } from '@zonewright/engine';
import { sendAsterisk } from './asterisk-exchange.ts';
import { Balancer, type Choice } from './balancer.ts';
import { type OriginRequest, type Receiver, send } from './exchange.ts';
import { type OriginLimits, OriginPools } from './origin-pools.ts';
import type { OriginServer } from './origin-server.ts';
import { ServerHealth } from './server-health.ts';

/** The origin servers of all zones. */
export interface Origins {
  /** A server that has not been tried; undefined if all have. */
  choose(choice: Choice): OriginServer | undefined;
  /** A request to the server begins, as far as balancing is concerned; the returned function ends it. */
  begin(server: OriginServer): () => void;
  /** Sends a request; the returned function gives it up. */
  send(server: OriginServer, request: OriginRequest, receiver: Receiver): () => void;
  close(): Promise<void>;
}

/** What reaching origins needs. */
export interface OriginOptions {
  /** Networks in which origins may lie although they are not public. */
  readonly allowed: readonly IpRange[];
  readonly limits: OriginLimits;
  /** Certificates of authorities, in PEM; undefined: those that Node knows. */
  readonly authorities: string | undefined;
}

/** Opens the way to origins; connections are made when requests need them. */
export function openOrigins(options: OriginOptions): Origins {
  const health = new ServerHealth();
  const balancer = new Balancer(health);
  const pools = new OriginPools({ ...options, health });
  return {
    choose: (choice) => balancer.choose(choice),
    begin: (server) => balancer.begin(server),
    send: (server, request, receiver) =>
      begun(receiver, () =>
        request.target === '*'
          ? sendAsterisk(pools.connectorOf(server), server, request, options.limits.headSeconds, receiver)
          : send(request.onFreshConnection ? pools.fresh(server) : pools.of(server), request, receiver),
      ),
    close: () => pools.close(),
  };
}

/** A server whose address is none, in a document that is not the service's, fails like one that cannot be reached. */
function begun(receiver: Receiver, begin: () => () => void): () => void {
  try {
    return begin();
  } catch (error) {
    queueMicrotask(() => receiver.failed('unreachable', error instanceof Error ? error : new Error(String(error))));
    return () => undefined;
  }
}

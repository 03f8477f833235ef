import type { OriginChoice } from '@zonewright/engine';
import { sendAsterisk } from './asterisk-exchange.ts';
import { Balancer, type Choice } from './balancer.ts';
import { type OriginRequest, type Receiver, send } from './exchange.ts';
import { type OriginOptions, OriginPools } from './origin-pools.ts';
import { ServerHealth } from './server-health.ts';

/** Opens the way to origins; connections are made when requests need them. */
export function openOrigins(options: OriginOptions) {
  const health = new ServerHealth();
  const balancer = new Balancer(health);
  const pools = new OriginPools(options, health);
  return {
    /** A server that has not been tried; undefined if all have. */
    choose: (choice: Choice) => balancer.choose(choice),
    /** A request to the server begins, as far as balancing is concerned; the returned function ends it. */
    begin: (server: OriginChoice) => balancer.begin(server),
    /** Sends a request of the zone with this id; the returned function gives it up. */
    send: (zone: string, server: OriginChoice, request: OriginRequest, receiver: Receiver) =>
      begun(receiver, () =>
        request.target === '*'
          ? sendAsterisk(pools.connectorOf(server), server, request, options.limits.headSeconds, receiver)
          : send(request.onFreshConnection ? pools.fresh(server) : pools.of(zone, server), request, receiver),
      ),
    close: () => pools.close(),
  };
}

/** The origin servers of all zones. */
export type Origins = ReturnType<typeof openOrigins>;

/** A server whose address is none, in a document that is not the service's, fails like one that cannot be reached. */
function begun(receiver: Receiver, begin: () => () => void): () => void {
  try {
    return begin();
  } catch (error) {
    queueMicrotask(() => receiver.failed('unreachable', error instanceof Error ? error : new Error(String(error))));
    return () => undefined;
  }
}

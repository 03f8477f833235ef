import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AddressDatabases } from '../deciding/address-databases.ts';
import type { CredentialCheck } from '../deciding/credentials.ts';
import type { Zones } from '../documents/accepted-zone.ts';
import type { Client, Clients } from '../framing/client.ts';
import { refusalInPlaceOf } from '../framing/http-server.ts';
import type { SlowClients } from '../framing/slow-clients.ts';
import type { RequestEntry } from '../log/request-log.ts';
import type { Origins } from '../origins/origins.ts';
import type { ZoneShares } from '../shares/zone-shares.ts';
import type { Transformers } from '../transforming/pool/transformers.ts';
import type { ForwardingLoops } from './forwarding-loops.ts';

/** What all requests share. */
export interface ProxyContext {
  readonly zones: Zones;
  readonly clients: Clients;
  readonly databases: AddressDatabases;
  readonly credentials: CredentialCheck;
  readonly origins: Origins;
  readonly shares: ZoneShares;
  readonly slowClients: SlowClients;
  readonly loops: ForwardingLoops;
  /** Seconds without a byte after which a WebSocket is closed. */
  readonly upgradedIdleSeconds: number;
  readonly transformers: Transformers;
  readonly record: (entry: RequestEntry) => void;
  /** Whether entries say who asked. */
  readonly logsClients: boolean;
}

/** One request on its way through the edge. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  /** Of a WebSocket handshake: the connection, and what came behind the request. */
  readonly upgrade: { readonly socket: Socket; readonly head: Buffer } | undefined;
  readonly entry: RequestEntry;
  readonly began: number;
}

/** Begins a visit; the entry is recorded when the answer is over, however it ends. */
export function beginVisit(
  parts: Pick<Visit, 'request' | 'response' | 'client' | 'upgrade'>,
  record: (entry: RequestEntry) => void,
): Visit {
  const { request, response } = parts;
  const entry: RequestEntry = {
    disposition: 'refused',
    method: request.method ?? '',
    status: 0,
    attempts: 0,
    cache: 'none',
    complete: false,
    milliseconds: 0,
  };
  const visit = { ...parts, entry, began: performance.now() };
  response.once('close', () => {
    if (entry.status === 101) return;
    const refusal = refusalInPlaceOf(response);
    entry.status = refusal ?? (response.headersSent ? response.statusCode : 0);
    entry.complete = refusal !== undefined || response.writableFinished;
    endVisit(visit, record);
  });
  return visit;
}

/** Records a visit that is over. */
function endVisit({ entry, began }: Visit, record: (entry: RequestEntry) => void): void {
  entry.milliseconds = milliseconds(began);
  record(entry);
}

/**
 * Does a part of the work on a visit. A defect costs that request its connection, and is named in the log, but must not
 * end the program, which answers for other zones as well.
 */
export function guarded({ entry, response }: Visit, work: () => void): void {
  try {
    work();
  } catch (error) {
    entry.failure = `defect: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}`;
    response.destroy();
  }
}

/** The same with the result of a promise. */
export const guardedLater = <T>(visit: Visit, promise: Promise<T>, work: (result: T) => void): Promise<void> =>
  promise.then(
    (result) => guarded(visit, () => work(result)),
    (error: unknown) =>
      guarded(visit, () => {
        throw error;
      }),
  );

/** Milliseconds that have passed, to a tenth. */
export const milliseconds = (since: number): number => Math.round((performance.now() - since) * 10) / 10;

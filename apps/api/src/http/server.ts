import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import { answerClientError } from './client-error.ts';

/** What a connection may take of the server before any code of ours runs. Times are milliseconds. */
export interface ServerLimits {
  readonly headersTimeout: number;
  /** For the whole request, its body included. */
  readonly requestTimeout: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveTimeout: number;
  /** How often the two timeouts of requests are looked at: a sender may take that much longer. */
  readonly connectionsCheckingInterval: number;
  /** Bytes of the request line and all header fields. */
  readonly maxHeaderSize: number;
  readonly maxRequestsPerSocket: number;
}

/** The limits of the service (SR-05). */
export const serverLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 16 * 1024,
  maxRequestsPerSocket: 1000,
};

interface ServerOptions {
  readonly limits?: ServerLimits;
  /** Whether the service is about to end: then an answer is the last one on its connection. */
  readonly isDraining?: () => boolean;
}

/** Slow senders, huge headers and endless connections end here. */
export function httpServer(
  app: Koa,
  { limits: { maxRequestsPerSocket, ...limits } = serverLimits, isDraining = () => false }: ServerOptions = {},
): Server {
  const handle = app.callback();
  const server = createServer(limits, (request, response) => {
    // On a connection that was busy when the shutdown began.
    if (isDraining()) response.setHeader('Connection', 'close');
    // Koa answers every failure itself, so this promise never rejects.
    void handle(request, response);
  });
  server.on('clientError', answerClientError);
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  return server;
}

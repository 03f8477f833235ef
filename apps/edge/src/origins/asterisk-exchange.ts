import { request as begin, type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import type { OriginRequest, Receiver } from './exchange.ts';
import type { OriginServer } from './origin-server.ts';

/**
 * Sends a request whose target is `*`, which undici cannot, over a connection of its own. The returned function gives it
 * up.
 */
export function sendAsterisk(
  connect: buildConnector.connector,
  { protocol, address, port, host }: OriginServer,
  request: OriginRequest,
  timeoutSeconds: number,
  receiver: Receiver,
): () => void {
  let isSettled = false;
  const target = { hostname: address, host, protocol: `${protocol}:`, port: String(port) };
  const sent = begin({
    method: request.method,
    path: request.target,
    headers: request.headers,
    setHost: false,
    timeout: timeoutSeconds * 1000,
    createConnection: (_, connected) => {
      connect(
        { ...target, ...(protocol === 'https' && isIP(host) === 0 ? { servername: host } : {}) },
        (...[error, socket]) => (error === null ? connected(null, socket) : sent.destroy(error)),
      );
      return null;
    },
  });
  sent.on('timeout', () => sent.destroy(Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' })));
  sent.on('error', (error: NodeJS.ErrnoException) => {
    if (isSettled) return;
    isSettled = true;
    receiver.failed(error.code === 'ETIMEDOUT' ? 'timeout' : 'unreachable', error);
  });
  sent.on('response', (response) => {
    isSettled = true;
    passOn(response, receiver);
  });
  sent.end();
  return () => {
    isSettled = true;
    sent.destroy();
  };
}

function passOn(response: IncomingMessage, receiver: Receiver): void {
  const flow = { resume: () => response.resume(), abort: () => response.destroy() };
  const sink = receiver.head({ status: response.statusCode ?? 502, headers: response.rawHeaders }, flow);
  response.on('data', (chunk: Buffer) => void (sink.data(chunk) || response.pause()));
  response.on('end', () => sink.end());
  response.on('error', () => sink.broken());
}

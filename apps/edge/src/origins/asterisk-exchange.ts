import { request as begin, type ClientRequest, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { OriginChoice } from '@zonewright/engine';
import type { buildConnector } from 'undici';
import type { OriginRequest, Receiver } from './exchange.ts';

/**
 * Sends a request whose target is `*`, which undici cannot, over a connection of its own. The returned function gives it
 * up.
 */
export function sendAsterisk(
  connect: buildConnector.connector,
  server: OriginChoice,
  request: OriginRequest,
  timeoutSeconds: number,
  receiver: Receiver,
): () => void {
  let isSettled = false;
  const sent = begun(connect, server, request);
  sent.setTimeout(timeoutSeconds * 1000, () =>
    sent.destroy(Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' })),
  );
  const fail = (error: NodeJS.ErrnoException) => {
    if (isSettled) return;
    isSettled = true;
    receiver.failed(error.code === 'ETIMEDOUT' ? 'timeout' : 'unreachable', error);
  };
  sent.on('error', fail);
  sent.on('upgrade', (_, socket) => {
    socket.destroy();
    fail(new Error('Nobody asked for an upgrade.'));
  });
  sent.on('response', (response) => {
    isSettled = true;
    passOn(response, receiver);
  });
  if (request.body === undefined) sent.end();
  else pipeline(request.body, sent, () => undefined);
  return () => {
    isSettled = true;
    sent.destroy();
  };
}

/** The head of the request, on its way. */
function begun(
  connect: buildConnector.connector,
  { protocol, address, port, host }: OriginChoice,
  request: OriginRequest,
): ClientRequest {
  const name = protocol === 'https' && isIP(host) === 0 ? { servername: host } : {};
  const target = { hostname: address, host, protocol: `${protocol}:`, port: String(port), ...name };
  const sent = begin({
    method: request.method,
    path: request.target,
    headers: framed(request),
    setHost: false,
    createConnection: (_, connected) => {
      // Node reports the error of the connection, which a request that is destroyed without one does not.
      connect(target, (...[error, socket]) => connected(error, socket as Socket));
      return null;
    },
  });
  return sent;
}

/** Node gives a body of unknown length no coding where the method seldom has one. */
function framed({ headers, body }: OriginRequest): readonly string[] {
  const isOfLength = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-length');
  return body === undefined || isOfLength ? headers : [...headers, 'Transfer-Encoding', 'chunked'];
}

function passOn(response: IncomingMessage, receiver: Receiver): void {
  const flow = { resume: () => response.resume(), abort: () => response.destroy() };
  const sink = receiver.head({ status: response.statusCode ?? 502, headers: response.rawHeaders }, flow);
  response.on('data', (chunk: Buffer) => void (sink.data(chunk) || response.pause()));
  response.on('end', () => sink.end());
  response.on('error', () => sink.broken());
}

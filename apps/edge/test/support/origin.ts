import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';

/** A request as an origin got it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A running origin. */
export interface TestOrigin {
  readonly port: number;
  readonly received: ReceivedRequest[];
  readonly close: () => Promise<void>;
}

const opened = async (server: Server, received: ReceivedRequest[], port = 0): Promise<TestOrigin> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

const plain: Answer = (_, response) => void response.end('hello');

const recording =
  (received: ReceivedRequest[], answer: Answer): RequestListener =>
  (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', rawHeaders, headers } = request;
      const one = { method, target: url, rawHeaders, headers, body: Buffer.concat(parts).toString('latin1') };
      received.push(one);
      answer(one, response);
    });
  };

/** An origin that records whole requests before it answers. */
export function httpOrigin(answer: Answer = plain, port = 0): Promise<TestOrigin> {
  const received: ReceivedRequest[] = [];
  return opened(createServer({ maxHeaderSize: 200_000 }, recording(received, answer)), received, port);
}

/** An origin whose handler gets the request as it comes. */
export const streamingOrigin = (listener: RequestListener): Promise<TestOrigin> => opened(createServer(listener), []);

/** The same by TLS. */
export function httpsOrigin(
  credentials: { readonly key: string; readonly cert: string },
  answer: Answer = plain,
): Promise<TestOrigin> {
  const received: ReceivedRequest[] = [];
  return opened(createSecureServer(credentials, recording(received, answer)), received);
}

/** An origin that does what it likes with connections. */
export const rawOrigin = (connected: (socket: Socket) => void): Promise<TestOrigin> =>
  opened(createRawServer(connected), []);

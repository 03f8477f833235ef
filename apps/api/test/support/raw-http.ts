import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A raw response. */
export interface RawReply {
  readonly status: number;
  /** Header lines as sent, in order. */
  readonly headerLines: readonly string[];
  /** By lower-case name; repeated fields are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends raw lines and reads until the server closes the connection: for requests that HTTP clients refuse to send. Adds
 * `Connection: close`, and `Host` if it is missing.
 */
export async function rawRequest(
  url: string,
  requestLine: string,
  headers: readonly string[] = [],
  body = '',
): Promise<RawReply> {
  const socket = await connected(url);
  socket.write(messageOf(url, requestLine, headers, body));
  return replyOn(socket);
}

/** A request sent except for its last byte. */
export interface HeldRequest {
  /** Sends the last byte and reads until the server closes the connection. */
  finish(): Promise<RawReply>;
}

const goOn = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

/**
 * Like `rawRequest`, but holds back the last byte, so that many requests can be released at the same instant. Resolves
 * when the server has read the header and sent 100 Continue (RFC 9110 section 10.1.1); without a body the last byte is
 * the header's, and there is no such response.
 */
export async function holdLastByte(
  url: string,
  requestLine: string,
  headers: readonly string[] = [],
  body = '',
): Promise<HeldRequest> {
  const socket = await connected(url);
  const length = [`Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue'];
  const message = Buffer.from(messageOf(url, requestLine, body === '' ? headers : [...headers, ...length], body));
  await new Promise((resolve) => socket.write(message.subarray(0, -1), resolve));
  if (body !== '') await heard(socket, goOn);
  return {
    finish: () => {
      socket.write(message.subarray(-1));
      return replyOn(socket);
    },
  };
}

async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function messageOf(url: string, requestLine: string, headers: readonly string[], body: string): string {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${new URL(url).host}`];
  const lines = [`${requestLine} HTTP/1.1`, ...host, 'Connection: close', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Requires that exactly these bytes arrive next. */
async function heard(socket: Socket, expected: Buffer): Promise<void> {
  let bytes = socket.read(expected.length) as Buffer | null;
  while (bytes === null) {
    await once(socket, 'readable');
    bytes = socket.read(expected.length) as Buffer | null;
  }
  if (!bytes.equals(expected)) throw new Error(`The server did not wait for the last byte: ${bytes.toString()}`);
}

async function replyOn(socket: Socket): Promise<RawReply> {
  const text = (await buffer(socket)).toString();
  const [head, body] = splitOnce(text, '\r\n\r\n');
  return { ...headOf(head), body };
}

/** All responses of one connection, each with `Content-Length`. */
export function parseReplies(text: string): readonly RawReply[] {
  if (text === '') return [];
  const [head, rest] = splitOnce(text, '\r\n\r\n');
  const reply = headOf(head);
  const length = Number(reply.headers['content-length']);
  return [{ ...reply, body: rest.slice(0, length) }, ...parseReplies(rest.slice(length))];
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function headOf(head: string): Omit<RawReply, 'body'> {
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of headerLines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status: Number(statusLine.split(' ')[1]), headerLines, headers };
}

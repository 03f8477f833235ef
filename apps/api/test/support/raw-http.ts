import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer as it came over the wire. */
export interface RawReply {
  readonly status: number;
  /** Header lines in their order, as sent. */
  readonly headerLines: readonly string[];
  /** By lower-case name; lines of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends lines as they are and reads until the server hangs up: for what a polite client cannot send. `Host` and
 * `Connection: close` are added.
 */
export async function rawRequest(
  url: string,
  requestLine: string,
  headers: readonly string[] = [],
  body = '',
): Promise<RawReply> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = [`${requestLine} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return parsed((await buffer(socket)).toString());
}

function parsed(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...headerLines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of headerLines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status: Number(statusLine.split(' ')[1]), headerLines, headers, body: text.slice(end + 4) };
}

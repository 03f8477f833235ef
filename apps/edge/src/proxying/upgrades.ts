import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ResponseHead } from '../origins/exchange.ts';
import { endToEnd } from '../responses/header-lines.ts';
import { clientHeader, type ServedRequest } from './relay.ts';
import { milliseconds } from './visit.ts';

const keepAliveMilliseconds = 60_000;

/** Joins the connections of client and origin after a WebSocket handshake (RFC 6455 section 4). */
export function join(
  served: ServedRequest,
  head: ResponseHead,
  origin: Duplex,
  { idleSeconds, ended }: { readonly idleSeconds: number; readonly ended: () => void },
): void {
  const { upgrade, entry, response, began } = served.visit;
  if (upgrade === undefined || upgrade.socket.destroyed) {
    origin.destroy();
    return ended();
  }
  const { socket: client, head: early } = upgrade;
  const switching = switchingProtocols(served, head);
  entry.status = 101;
  response.detachSocket(client);
  client.setTimeout(idleSeconds * 1000);
  client.setNoDelay(true);
  // A client that has lost its network is noticed earlier.
  client.setKeepAlive(true, keepAliveMilliseconds);
  client.write(switching, 'latin1');
  if (early.length > 0) origin.write(early);
  client.pipe(origin);
  origin.pipe(client);
  const cut = () => {
    client.destroy();
    origin.destroy();
  };
  client.on('error', cut).on('close', cut).on('timeout', cut);
  origin.on('error', cut).on('close', cut);
  client.once('close', () => {
    entry.complete = true;
    entry.milliseconds = milliseconds(began);
    ended();
  });
}

function switchingProtocols(served: ServedRequest, { status, headers }: ResponseHead): string {
  const lines = clientHeader(served, { status, lines: endToEnd(headers) });
  let text = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (let at = 0; at < lines.length; at += 2) text += lineOf(lines[at] ?? '', lines[at + 1] ?? '');
  return `${text}\r\n`;
}

/** Throws on what would be read as more than one line, as Node does for responses of its own. */
function lineOf(name: string, value: string): string {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}

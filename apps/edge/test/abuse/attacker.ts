/** Runs one attack in a process of its own. `ATTACK` names it, and `EDGE_PORT` is the port of the edge. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attacks } from './attacks.ts';

const attack = attacks.find(({ name }) => name === process.env['ATTACK']);
if (attack === undefined) throw new Error('There is no such attack.');
const server = createServer({ maxHeaderSize: 200_000 }, attack.origin ?? ((_, response) => void response.end('hello')));
server.on('connection', (socket) => socket.on('error', () => undefined));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port: origin } = server.address() as AddressInfo;
process.send?.({ origin });
await once(process, 'message');
await attack.run({ edge: Number(process.env['EDGE_PORT']), origin }, new AbortController().signal);

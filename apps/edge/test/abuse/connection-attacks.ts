import { request as ask } from 'node:http';
import type { Socket } from 'node:net';
import { setInterval as every } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { attackedHost } from './attack.ts';
import { askAgainAndAgain, head, keepConnections } from './clients.ts';
import { proxiedZone } from './zones.ts';

const plainZone: Attack['zones'] = ({ origin }) => [proxiedZone(origin)];

/** An origin that never answers. */
const silent = (): void => undefined;

/** Sends a byte now and then for as long as the connection lasts. */
function trickle(socket: Socket, byte: string, milliseconds: number): void {
  const timer = setInterval(() => socket.write(byte), milliseconds);
  socket.once('close', () => clearInterval(timer));
}

const upgrade = head(
  'GET / HTTP/1.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
);

/** Attacks on connections: of clients, and to origins. */
export const connectionAttacks: readonly Attack[] = [
  {
    name: '1,500 slow bodies',
    zones: plainZone,
    run: (scene, signal) =>
      keepConnections(scene, signal, 1500, (socket) => {
        socket.write(head('POST / HTTP/1.1', 'Content-Length: 1000000'));
        trickle(socket, 'x', 2000);
      }),
  },
  {
    name: '1,500 slow heads',
    zones: plainZone,
    run: (scene, signal) =>
      keepConnections(scene, signal, 1500, (socket) => {
        socket.write('GET / HTTP/1.1\r\nX-A: ');
        trickle(socket, 'x', 2000);
      }),
  },
  {
    name: '1,500 requests that the origin never answers',
    zones: plainZone,
    origin: silent,
    run: (scene, signal) => keepConnections(scene, signal, 1500, (socket) => void socket.write(head('GET / HTTP/1.1'))),
  },
  {
    name: '60 connections that send requests ahead',
    zones: plainZone,
    origin: silent,
    run: (scene, signal) => {
      const one = head('GET / HTTP/1.1', `X-A: ${'a'.repeat(28_000)}`);
      return keepConnections(scene, signal, 60, (socket) => {
        const send = () => {
          for (let count = 0; count < 950 && socket.write(one); count += 1);
        };
        socket.on('drain', send);
        send();
      });
    },
  },
  {
    name: '300 clients that do not read an answer of 50 MB',
    zones: plainZone,
    origin: (_, response) => {
      const part = Buffer.alloc(65_536);
      let parts = 800;
      const send = () => {
        while (parts > 0 && response.write(part)) parts -= 1;
        if (parts <= 0) response.end();
      };
      response.on('drain', send);
      send();
    },
    run: (scene, signal) =>
      keepConnections(scene, signal, 300, (socket) => {
        socket.pause();
        socket.write(head('GET / HTTP/1.1'));
      }),
  },
  {
    name: 'pages of 2 MB that end a byte at a time',
    zones: ({ origin }) => [proxiedZone(origin, { settings: { minifyHtml: true } })],
    origin: (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.write(Buffer.alloc(200_000, '<p>'));
      const timer = setInterval(() => response.write('x'), 500);
      response.once('close', () => clearInterval(timer));
    },
    run: (scene, signal) => keepConnections(scene, signal, 1500, (socket) => void socket.write(head('GET / HTTP/1.1'))),
  },
  {
    name: '1,500 WebSockets',
    zones: plainZone,
    run: (scene, signal) => keepConnections(scene, signal, 1500, (socket) => void socket.write(upgrade)),
  },
  {
    name: 'requests that nobody waits for',
    zones: plainZone,
    origin: silent,
    run: async (scene, signal) => {
      for await (const _ of every(5)) {
        if (signal.aborted) return;
        for (let count = 0; count < 20; count += 1) {
          const asked = ask({ port: scene.edge, host: '127.0.0.1', headers: { Host: attackedHost } });
          asked.on('error', () => undefined).end();
          setTimeout(() => asked.destroy(), 50);
        }
      }
    },
  },
  {
    name: 'requests for hosts that nobody has',
    zones: plainZone,
    run: (scene, signal) =>
      askAgainAndAgain(scene, signal, 24, (number) => ({ path: '/', headers: { Host: `x${number}.example` } })),
  },
  {
    name: 'OPTIONS * to an origin that refuses connections',
    zones: () => [proxiedZone(1)],
    run: (scene, signal) => askAgainAndAgain(scene, signal, 24, () => ({ path: '*', method: 'OPTIONS' })),
  },
];

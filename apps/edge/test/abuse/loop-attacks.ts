import { request } from 'node:http';
import type { Attack } from './attack.ts';
import { askAgainAndAgain } from './clients.ts';
import { proxiedZone } from './zones.ts';

const via = { headersRequestSet: [{ name: 'Via', value: '1.1 somebody' }] };
const noLoop = {
  headersRequestSet: [
    { name: 'Via', value: '1.1 somebody' },
    { name: 'CDN-Loop', value: 'somebody' },
  ],
};

const tenRequests: Attack['run'] = async (scene, signal) =>
  askAgainAndAgain(scene, signal, 10, () => ({ path: '/', timeout: 1000 }));

/** Attacks by requests that come back to the edge. */
export const loopAttacks: readonly Attack[] = [
  {
    name: 'a zone whose origin is the edge',
    zones: ({ edge }) => [proxiedZone(edge, { settings: via })],
    run: tenRequests,
  },
  {
    name: 'a zone whose origin is the edge, with fields against loops of its own',
    zones: ({ edge }) => [proxiedZone(edge, { settings: noLoop })],
    run: tenRequests,
  },
  {
    name: 'a proxy outside that takes all fields away and comes back',
    zones: ({ origin }) => [proxiedZone(origin, { settings: via })],
    origin: (incoming, response) => {
      const back = request({
        port: Number(process.env['EDGE_PORT']),
        host: '127.0.0.1',
        path: incoming.url,
        headers: { Host: incoming.headers.host ?? '' },
      });
      back.on('response', (answer) => answer.pipe(response)).on('error', () => response.destroy());
      response.once('close', () => back.destroy());
      back.end();
    },
    run: tenRequests,
  },
];

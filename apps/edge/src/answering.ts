import { createServer } from 'node:http';
import type { Zones } from './documents/served-zone.ts';
import { listen } from './listen.ts';
import type { Settings } from './settings/settings.ts';

/** Where requests are answered. */
export interface Answering {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers with the revision of the zone. */
export async function openAnswering(zones: Zones, { host, port }: Settings): Promise<Answering> {
  const server = createServer((request, response) => {
    const zone = zones.find(request.headers.host ?? '');
    if (zone === 'invalid') return void response.writeHead(400).end();
    if (zone === 'unknown') return void response.writeHead(421).end();
    const { zone: of, revision } = zone.document;
    response.writeHead(200, { 'X-Zone': of.id, 'X-Zone-Revision': revision }).end();
  });
  return {
    port: await listen(server, { host, port, variable: 'PORT' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

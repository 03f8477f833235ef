import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@zonewright/postgres';
import { freePort, startService } from '../readme-support.ts';
import { type Client, clientOf } from './client.ts';
import { freshDatabase } from './database.ts';

/** Two operating system processes of the service that share a database and a keys file. */
export interface TwoProcesses {
  /** The base URL of the first process. */
  readonly url: string;
  readonly database: Database;
  /** A client of one process, alternating by index. */
  client(index: number, headers: Readonly<Record<string, string>>): Client;
  stop(): Promise<void>;
}

export async function openTwoProcesses(): Promise<TwoProcesses> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-two-'));
  const { url: databaseUrl, database } = await freshDatabase();
  const shared = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PUBLIC_BASE_URL: 'http://zones.example.com',
    RATE_LIMIT_SCALE: '1000',
    LOG_LEVEL: 'error',
  };
  const ports = [await freePort(), await freePort()];
  const [one, other] = await Promise.all(ports.map((PORT) => startService({ ...shared, PORT })));
  if (one === undefined || other === undefined) throw new Error('There are two ports.');
  return {
    url: one.url,
    database,
    client: (index, headers) => clientOf(index % 2 === 0 ? one.url : other.url, headers),
    stop: async () => {
      await Promise.all([one.stop(), other.stop()]);
      await database.$pool.end();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

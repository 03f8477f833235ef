import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from './world.ts';

/** A fault during writes and its repair, after which everything is as before. */
export interface Fault {
  readonly name: string;
  readonly happen: (world: World) => Promise<void>;
}

/** Duration of faults that do not end by themselves. */
const seconds = 3;
const aWhile = (): Promise<void> => delay(seconds * 1000);

/** Fills the disk, then frees it again. */
async function fillDisk({ disk, server }: World): Promise<void> {
  const filler = join(disk, 'filler');
  const piece = new Uint8Array(1024 * 1024);
  try {
    for (;;) writeFileSync(filler, piece, { flag: 'a' });
  } catch {
    // The disk is full.
  }
  await aWhile();
  rmSync(filler);
  // The server shuts down when it cannot write its log.
  await server.start();
}

export const faults: readonly Fault[] = [
  { name: 'one service killed', happen: (world) => world.killService(0) },
  {
    name: 'both services killed',
    happen: async (world) => {
      await Promise.all([world.killService(0), world.killService(1)]);
    },
  },
  {
    name: 'database killed',
    happen: async ({ server }) => {
      await server.kill();
      await server.start();
    },
  },
  {
    name: 'database stopped for a while',
    happen: async ({ server }) => {
      await server.stop();
      await aWhile();
      await server.start();
    },
  },
  {
    name: 'database frozen',
    happen: async ({ server }) => {
      server.freeze();
      await aWhile();
      server.thaw();
    },
  },
  {
    name: 'every connection ended',
    happen: ({ server }) => {
      server.ask('SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      return Promise.resolve();
    },
  },
  { name: 'disk full', happen: fillDisk },
  { name: 'failover to a standby', happen: (world) => world.failOver() },
  {
    name: 'one clock ten minutes fast',
    happen: async (world) => {
      await world.restartService(1, { skewSeconds: 600 });
      await aWhile();
      await world.restartService(1);
    },
  },
  {
    name: 'one clock ten minutes slow',
    happen: async (world) => {
      await world.restartService(1, { skewSeconds: -600 });
      await aWhile();
      await world.restartService(1);
    },
  },
  {
    name: 'mail server hangs',
    happen: async ({ mails }) => {
      await mails.become('silent');
      await aWhile();
      await mails.become('working');
    },
  },
  {
    name: 'network to the database silent',
    happen: async ({ link }) => {
      const cut = link.silence();
      await aWhile();
      cut();
    },
  },
];

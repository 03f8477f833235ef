import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type RunningEdge, startEdge } from '../../src/edge.ts';
import type { Timing } from '../../src/feed/timing.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { StateFolder } from '../../src/state/state-folder.ts';
import type { FakeService } from './fake-service.ts';
import { valueOf } from './outcomes.ts';

/** So short that tests need not wait. */
const timing: Timing = {
  answerTimeout: 5000,
  waitSeconds: 5,
  firstPause: 10,
  longestPause: 50,
  report: 200,
  reminder: 100,
  retry: 50,
};

/** A folder for the state of an edge, removed by `clean`. */
export interface StatePlace {
  readonly path: string;
  clean(): void;
}

/** Creates the folder. */
export function aStatePlace(): StatePlace {
  const path = mkdtempSync(join(tmpdir(), 'edge-'));
  return { path, clean: () => rmSync(path, { recursive: true, force: true }) };
}

/** The status of an answer, and the revision of the zone that gave it: 200 then. */
export interface Asked {
  readonly status: number;
  readonly revision: string | null;
}

/** An edge in this process. */
export interface TestEdge extends RunningEdge {
  /** Messages of the log, with their levels. */
  readonly lines: readonly { readonly level: number; readonly msg: string }[];
  /** Resolves to the failure after which the edge cannot go on. */
  readonly failed: Promise<unknown>;
  /** The status of a request for the host, and the revision that answered it. */
  readonly ask: (host: string) => Promise<Asked>;
  /** A request of the private port. */
  readonly private: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
}

/** A request for a host, to the edge on a port; `fetch` does not let us choose the host. */
export const askAt = (port: number, host: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const asked = get({ port, host: '127.0.0.1', headers: { Host: host }, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      const { statusCode = 0, headers } = response;
      // Zones of tests redirect to their revision.
      const revision = /^https:\/\/revision\.example\/(\d+)/.exec(headers.location ?? '')?.[1];
      resolve(revision === undefined ? { status: statusCode, revision: null } : { status: 200, revision });
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
  });

/** Starts an edge that has a key of the service, unless it brings a token. */
export async function startTestEdge(
  service: Pick<FakeService, 'url' | 'addKey'>,
  state: StatePlace,
  env: NodeJS.ProcessEnv = {},
  more: Partial<Timing> = {},
): Promise<TestEdge> {
  if (env['EDGE_TOKEN'] === undefined) await new StateFolder(state.path, () => undefined).writeKey(service.addKey());
  const settings = valueOf(
    readSettings({
      SERVICE_URL: service.url,
      STATE_DIR: state.path,
      PORT: '0',
      PRIVATE_PORT: '0',
      ...env,
    }),
  );
  const lines: { readonly level: number; readonly msg: string }[] = [];
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => {
    fail = resolve;
  });
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const edge = await startEdge({
    settings,
    log,
    writeLines: () => undefined,
    timing: { ...timing, ...more },
    onFailure: (error) => fail(error),
  });
  return {
    ...edge,
    lines,
    failed,
    ask: (host) => askAt(edge.port, host),
    private: async (path) => {
      const response = await fetch(`http://127.0.0.1:${edge.privatePort}${path}`);
      return { status: response.status, text: await response.text() };
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEdgeDocument } from '../../../edge/src/documents/edge-document.ts';
import { EdgeZones } from '../../../edge/src/edge-zones.ts';
import { FeedReader } from '../../../edge/src/feed/feed-reader.ts';
import { LastingProblem } from '../../../edge/src/feed/lasting-problem.ts';
import { ServiceClient } from '../../../edge/src/feed/service-client.ts';
import { usualTiming } from '../../../edge/src/feed/timing.ts';
import { openStateFolder, readDocumentNow } from '../../../edge/src/state/state-folder.ts';
import { valueOf } from '../../../edge/test/support/outcomes.ts';

/** The part of an edge that follows the feed, with a disk of its own. */
export interface FeedFollower {
  /** The revision of a zone that it serves; undefined: it does not. */
  revisionOf(zone: string): number | undefined;
  /** Since when it has served that, in `performance.now()` time; 0: it does not. */
  servedAt(zone: string): number;
  /** What kept it from following. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const revisionIn = (bytes: Buffer | undefined): number =>
  valueOf(parseEdgeDocument(bytes?.toString('utf8') ?? '')).revision;

/** Follows the feed with the edge's own code, at its usual times. */
export async function followFeed(serviceUrl: string, key: string): Promise<FeedFollower> {
  const path = mkdtempSync(join(tmpdir(), 'follower-'));
  const folder = valueOf(await openStateFolder(path));
  const served = new Map<string, { readonly revision: number; readonly at: number }>();
  const zones = new EdgeZones({
    folder,
    program: 'test',
    facts: { country: false, asn: false },
    zoneSink: {
      put: ({ id, digest }) =>
        served.set(id, { revision: revisionIn(readDocumentNow(path, digest)), at: performance.now() }),
      remove: (id) => served.delete(id),
      flushed: () => Promise.resolve(),
    },
  });
  const problems: string[] = [];
  const client = new ServiceClient({ serviceUrl, key, answerTimeout: usualTiming.answerTimeout });
  const problem = new LastingProblem({ begun: (text) => problems.push(text), ended: () => undefined }, 60_000).of(
    'feed',
  );
  const reader = new FeedReader({ client, zones, timing: usualTiming, problem, onChange: () => undefined });
  const running = reader.run();
  return {
    revisionOf: (zone) => served.get(zone)?.revision,
    servedAt: (zone) => served.get(zone)?.at ?? 0,
    problems,
    close: async () => {
      reader.stop();
      client.close();
      await zones.close();
      await running;
      folder.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
